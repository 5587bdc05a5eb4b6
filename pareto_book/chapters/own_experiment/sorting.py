"""Eight ways to sort a list, and a noisy measurement of each in time and memory."""

import bisect
import gc
import heapq
import time
import tracemalloc
from collections.abc import Callable

import numpy as np

__all__ = ["ROUTINES", "SLOW", "measure"]

Routine = Callable[[list[float]], list[float]]


def merge(numbers):
    """Merge sort, top down."""
    if len(numbers) < 2:
        return numbers
    middle = len(numbers) // 2
    left, right = merge(numbers[:middle]), merge(numbers[middle:])
    result, i, j = [], 0, 0
    while i < len(left) and j < len(right):
        if left[i] <= right[j]:
            result.append(left[i])
            i += 1
        else:
            result.append(right[j])
            j += 1
    return result + left[i:] + right[j:]


def quick(numbers):
    """Quicksort with new lists."""
    if len(numbers) < 2:
        return numbers
    pivot = numbers[len(numbers) // 2]
    smaller = [x for x in numbers if x < pivot]
    larger = [x for x in numbers if x > pivot]
    equal = len(numbers) - len(smaller) - len(larger)
    return quick(smaller) + equal * [pivot] + quick(larger)


def quick_in_place(numbers):
    """Quicksort within the list (Hoare's partition)."""
    stack = [(0, len(numbers) - 1)]
    while stack:
        low, high = stack.pop()
        if low >= high:
            continue
        pivot, i, j = numbers[(low + high) // 2], low, high
        while i <= j:
            while numbers[i] < pivot:
                i += 1
            while numbers[j] > pivot:
                j -= 1
            if i <= j:
                numbers[i], numbers[j] = numbers[j], numbers[i]
                i, j = i + 1, j - 1
        stack += [(low, j), (i, high)]
    return numbers


def heap(numbers):
    """Heapsort with the standard library's heap."""
    heapq.heapify(numbers)
    return [heapq.heappop(numbers) for _ in range(len(numbers))]


def shell(numbers):
    """Shell's sort, within the list."""
    gap = len(numbers) // 2
    while gap:
        for i in range(gap, len(numbers)):
            x, j = numbers[i], i
            while j >= gap and numbers[j - gap] > x:
                numbers[j] = numbers[j - gap]
                j -= gap
            numbers[j] = x
        gap = gap * 5 // 11 if gap > 2 else gap // 2
    return numbers


def insertion(numbers):
    """Binary insertion into a second list."""
    result = []
    for x in numbers:
        bisect.insort(result, x)
    return result


def in_place(numbers):
    """The list's own method."""
    numbers.sort()
    return numbers


def with_numpy(kind):
    """NumPy's sort, there and back."""

    def routine(numbers):
        return np.sort(np.array(numbers), kind=kind).tolist()

    return routine


ROUTINES: dict[str, Routine] = {
    "list.sort": in_place,
    "numpy": with_numpy("heapsort"),
    "heapq": heap,
    "merge": merge,
    "quick": quick,
    "quick in place": quick_in_place,
    "shell": shell,
    "insertion": insertion,
}
SLOW = {"merge", "quick", "quick in place", "shell"}  # written in Python


def measure(routine: Routine, rng: np.random.Generator, length: float) -> dict[str, float]:
    """Log10 of milliseconds, and of kilobytes besides the list, on a list of random length."""
    numbers = rng.random(int(length * 10 ** rng.normal(0.0, 0.1))).tolist()
    gc.disable()
    seconds = min(_seconds_to_sort(routine, numbers) for _ in range(3))
    gc.enable()
    copy = numbers.copy()
    tracemalloc.start()
    routine(copy)
    kilobytes = tracemalloc.get_traced_memory()[1] / 1000
    tracemalloc.stop()
    return {"time": np.log10(1000 * seconds), "memory": np.log10(max(kilobytes, 1.0))}


def _seconds_to_sort(routine, numbers):
    """Seconds that a routine takes on a copy of a list; its result is checked."""
    copy = numbers.copy()
    begin = time.thread_time()
    result = routine(copy)
    seconds = time.thread_time() - begin
    if result != sorted(numbers):
        raise ValueError(f"{routine!r} does not sort; expected a sorted list")
    return seconds
