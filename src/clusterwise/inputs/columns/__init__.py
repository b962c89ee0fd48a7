"""What each column of a table is taken as: numeric, categorical, date, boolean, text and so on."""
