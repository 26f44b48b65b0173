/*
 * The force kernel in C: the anchor for the same machine. Same operations in the same order as
 * `pull` in packages/sim/src/field/gravity.ts, so the same bits under strict IEEE rules, which
 * -ffp-contract=off selects; -fno-math-errno lets the compiler use the square root of the
 * processor. BLOCK neighbouring points go through the bodies together; -fopenmp-simd has the
 * compiler put them in vectors, as wide as its flags allow, and changes no order of operations.
 *
 *     kernel FILE COUNT BODIES SECONDS
 *
 * FILE holds doubles as in memory: points in planes x, y, z, then x, y, z and GM of each
 * body. Prints the median and the 99th percentile of one call in milliseconds, and the
 * FNV-1a digest of the accelerations.
 */
#define _POSIX_C_SOURCE 199309L
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define CALLS_MAX 100000
#define WARM_UP_CALLS 100

static void pull(double *restrict out, const double *restrict points, size_t stride, size_t count,
                 const double *restrict table, size_t bodies) {
  for (size_t i = 0; i < count; i += BLOCK) {
    const double *x = points + i, *y = points + stride + i, *z = points + 2 * stride + i;
    double ax[BLOCK] = {0}, ay[BLOCK] = {0}, az[BLOCK] = {0};
    for (size_t j = 0; j < bodies; j++) {
      const double *body = table + 4 * j;
      const double bx = body[0], by = body[1], bz = body[2], m = body[3];
#pragma omp simd
      for (int k = 0; k < BLOCK; k++) {
        const double dx = bx - x[k], dy = by - y[k], dz = bz - z[k];
        const double r2 = dx * dx + dy * dy + dz * dz;
        const double scale = m / (r2 * sqrt(r2));
        ax[k] += scale * dx;
        ay[k] += scale * dy;
        az[k] += scale * dz;
      }
    }
    for (int k = 0; k < BLOCK; k++) {
      out[i + k] = ax[k];
      out[stride + i + k] = ay[k];
      out[2 * stride + i + k] = az[k];
    }
  }
}

static double now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e3 + t.tv_nsec * 1e-6;
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static uint64_t digest(const unsigned char *bytes, size_t length) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (size_t i = 0; i < length; i++) hash = (hash ^ bytes[i]) * 0x100000001b3u;
  return hash;
}

int main(int argc, char **argv) {
  if (argc != 5) return 2;
  const size_t count = strtoul(argv[2], NULL, 10), bodies = strtoul(argv[3], NULL, 10);
  const double budget_ms = 1e3 * strtod(argv[4], NULL);
  const size_t values = 3 * count + 4 * bodies;
  double *points = malloc(values * sizeof(double));
  double *out = malloc(3 * count * sizeof(double));
  double *calls = malloc(CALLS_MAX * sizeof(double));
  FILE *file = fopen(argv[1], "rb");
  if (count % BLOCK != 0 || !points || !out || !calls || !file) return 2;
  if (fread(points, sizeof(double), values, file) != values) return 2;
  fclose(file);
  const double *table = points + 3 * count;

  for (int i = 0; i < WARM_UP_CALLS; i++) pull(out, points, count, count, table, bodies);
  int made = 0;
  for (const double end = now_ms() + budget_ms; made < CALLS_MAX && now_ms() < end; made++) {
    const double start = now_ms();
    pull(out, points, count, count, table, bodies);
    calls[made] = now_ms() - start;
  }
  qsort(calls, made, sizeof(double), ascending);
  printf("{\"medianMs\":%.9g,\"p99Ms\":%.9g,\"digest\":\"%016llx\"}\n", calls[made / 2],
         calls[made * 99 / 100],
         (unsigned long long)digest((unsigned char *)out, 3 * count * sizeof(double)));
}
