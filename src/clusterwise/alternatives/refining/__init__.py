"""Labels of an alternative anew, by a model of the objects in which what is given has its part."""
