; The page of a comparison: filters, folding, keys, light and dark.
; REQUIRES: chromedriver
; RUN: sed -e 's/= add nsw/= sub nsw/' -e 's/@gone/@come/' -e 's/mul i64 %0, 3/mul i64 %0, 4/' %s > %t.b.ll
; RUN: not %silc diff %s %t.b.ll --format html -o %t.html
; RUN: %python %S/diff.py %t.html %t.png

define i64 @"$s4main3fooyySiF"(i64 %0, ptr %1) {
  %3 = load i64, ptr %1, align 8
  %4 = add nsw i64 %3, %0
  %5 = mul i64 %4, 5
  %6 = mul i64 %5, 6
  %7 = mul i64 %6, 7
  %8 = mul i64 %7, 8
  %9 = mul i64 %8, 9
  store i64 %9, ptr %1, align 8
  %10 = load i64, ptr %1, align 8
  %11 = udiv i64 %10, 11
  %12 = add nsw i64 %11, 12
  ret i64 %12
}

define i64 @triple(i64 %0) {
  %2 = mul i64 %0, 3
  ret i64 %2
}

define i64 @same(i64 %0) {
  ret i64 %0
}

define void @gone() {
  ret void
}

@counter = global i64 0
