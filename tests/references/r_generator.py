"""R's default generator of uniform numbers: the Mersenne Twister, seeded in R's own way."""

import numpy as np

STEP = 2.3283064365386963e-10  # what R multiplies 32 random bits by


class RUniform:
    """Stream of ``runif`` after ``set.seed(seed)``, for seeds from 0."""

    def __init__(self, seed):
        words = []
        for k in range(50 + 625):
            seed = (69069 * seed + 1) % 2**32
            if k > 50:  # the first of 625 words is where the generator stands, and is not used
                words.append(seed)
        self._generator = np.random.MT19937()
        key = np.array(words, dtype=np.uint32)
        self._generator.state = {"bit_generator": "MT19937", "state": {"key": key, "pos": 624}}

    def __call__(self, size):
        return self._generator.random_raw(size) * STEP
