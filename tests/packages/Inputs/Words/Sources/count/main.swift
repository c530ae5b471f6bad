import Words

let counter = Counter(try text(named: "rose"))
print(counter)
