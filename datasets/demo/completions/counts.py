def count(words):
    counts = {}
    for $0:
        counts[word] = counts.get(word, 0) + 1
    return counts
