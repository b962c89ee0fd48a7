from .mixture import CEM as CEM
