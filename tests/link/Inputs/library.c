// What library.sil calls, and what calls back into it.

int twice_from_sil(int number);

int library_number(int number) { return twice_from_sil(number) + 1; }

