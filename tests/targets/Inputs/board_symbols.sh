# Usage: board_symbols.sh SILC FOLDER TARGETS FILE…
# Builds objects of the files for each target in the file TARGETS, and prints which symbols they leave to others that neither the module itself
# names nor Embedded Swift asks of its platform.
silc=$1 folder=$2 targets=$3
shift 3
asked='^(posix_memalign|free|putchar|arc4random_buf|mem(cpy|move|set|cmp)|bcmp|__stack_chk_(fail|guard)|__aeabi_.*|__atomic_.*|__sync_.*)$'
arithmetic='^__(add|sub|mul|u?div|u?mod|u?divmod|ash[lr]|lshr|neg|cmp|ucmp|eq|ne|lt|le|gt|ge|unord|fix(uns)?|float(un)?|ext|trunc|clz|ctz|popcount|bswap)[a-z]*[0-9]$'
while read -r target; do
    for file in "$@"; do
        for level in -O0 -O2; do
            "$silc" build "$file" $level --target "$target" --emit obj -o "$folder/object.o" || exit 1
            llvm-nm --undefined-only --format=posix "$folder/object.o" | while read -r symbol kind _; do
                case $target in
                *-macho) name=${symbol#_} ;;
                *) name=$symbol ;;
                esac
                [ "$kind" = w ] && continue
                echo "$name" | grep -qE "$asked|$arithmetic" && continue
                grep -qE "@$name[ :]" "$file" && continue
                echo "$target $level $file: $symbol"
            done
        done
    done
done <"$targets"
