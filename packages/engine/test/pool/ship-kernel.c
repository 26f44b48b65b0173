/*
 * The kernel's `turn`, `bounds` and `step` once more, in C: reads a scratch from standard input,
 * works on it and writes it to standard output. All numbers are doubles, as in
 * packages/sim/src/field/step-scratch.ts.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { PLANE = 264, PLANES = 35, TABLE = 22, AROUND = 8 };
enum { KICK, DRIFT, BURNT, BODIES, OBLATE, ORIGIN_PULL, OBLATE_BODY = 8 };

static double block[PLANES][PLANE];
static double (*const r)[PLANE] = block, (*const r_low)[PLANE] = block + 3;
static double (*const v)[PLANE] = block + 6, (*const v_low)[PLANE] = block + 9;
static double (*const g)[PLANE] = block + 12, (*const force)[PLANE] = block + 15;
static double *const fuel = block[18], *const end_fuel = block[19];
static double (*const least)[PLANE] = block + 20, (*const strictest)[PLANE] = block + 22;
static double *const near_ground = block[24];
static double (*const q)[PLANE] = block + 25, (*const momentum)[PLANE] = block + 29;
static double (*const wheels)[PLANE] = block + 32;

static void pull(int row, const double *table, int bodies)
{
    double a[3] = {0, 0, 0};
    for (int j = 0; j < bodies; j++, table += 4) {
        double x = table[0] - r[0][row], y = table[1] - r[1][row], z = table[2] - r[2][row];
        double r2 = x * x + y * y + z * z;
        double scale = table[3] / (r2 * sqrt(r2));
        a[0] += scale * x;
        a[1] += scale * y;
        a[2] += scale * z;
    }
    for (int axis = 0; axis < 3; axis++) g[axis][row] = a[axis];
}

static void add_oblateness(int row, const double *body)
{
    const double *pole = body + 3;
    double d[3];
    for (int axis = 0; axis < 3; axis++) d[axis] = r[axis][row] - body[axis];
    double r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    double r3 = r2 * sqrt(r2);
    double inverse5 = 1 / (r2 * r3);
    double scale = body[6] * inverse5;
    double height = d[0] * pole[0] + d[1] * pole[1] + d[2] * pole[2];
    double radial = scale * (5 * height * height * (r3 * inverse5) - 1);
    double axial = -2 * scale * height;
    for (int axis = 0; axis < 3; axis++) g[axis][row] += radial * d[axis] + axial * pole[axis];
}

static void add_exactly(double *high, double *low, double change)
{
    double before = *high, sum = before + change, part = sum - before;
    *high = sum;
    *low = before - (sum - part) + (change - part);
}

static void kick(int row, const double *stage, double dry_mass)
{
    double left = fuel[row] + stage[BURNT] * (end_fuel[row] - fuel[row]);
    double inverse_mass = 1 / (dry_mass + left);
    for (int axis = 0; axis < 3; axis++) {
        double pulled = g[axis][row];
        if (dry_mass > 0) pulled += force[axis][row] * inverse_mass;
        add_exactly(&v[axis][row], &v_low[axis][row], stage[KICK] * pulled + v_low[axis][row]);
    }
}

static void step(int row, const double *stages, int stage_doubles, int last, double dry_mass)
{
    for (int s = 0; s <= last; s++, stages += stage_doubles) {
        if (s > 0) {
            pull(row, stages + TABLE, (int)stages[BODIES]);
            for (int axis = 0; axis < 3; axis++) g[axis][row] -= stages[ORIGIN_PULL + axis];
            for (int term = 0; term < stages[OBLATE]; term++)
                add_oblateness(row, stages + OBLATE_BODY + 7 * term);
        }
        kick(row, stages, dry_mass);
        if (s == last) break;
        double h = stages[DRIFT];
        for (int axis = 0; axis < 3; axis++) {
            double gain = h * v[axis][row] + (h * v_low[axis][row] + r_low[axis][row]);
            add_exactly(&r[axis][row], &r_low[axis][row], gain);
        }
    }
}

static void bounds(int row, const double *table, int bodies)
{
    least[0][row] = least[1][row] = INFINITY;
    strictest[0][row] = strictest[1][row] = near_ground[row] = 0;
    for (int body = 0; body < bodies; body++, table += AROUND) {
        double d[3], u[3];
        for (int axis = 0; axis < 3; axis++) {
            d[axis] = table[axis] - r[axis][row];
            u[axis] = table[4 + axis] - v[axis][row];
        }
        double r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        double v2 = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
        double free2 = r2 * sqrt(r2) / table[3];
        if (free2 < least[0][row]) {
            least[0][row] = free2;
            strictest[0][row] = body;
        }
        if (r2 < least[1][row] * v2) {
            least[1][row] = r2 / v2;
            strictest[1][row] = body;
        }
        if (!(r2 > table[7])) near_ground[row] = 1;
    }
}

static void turn_about(int row, int a, double share)
{
    int b = (a + 1) % 3, c = (a + 2) % 3;
    double pa = momentum[a][row], pb = momentum[b][row], pc = momentum[c][row];
    double w = q[0][row], own = q[1 + a][row], next = q[1 + b][row], last = q[1 + c][row];
    double own_twist = 2 * (last * pb - next * pc);
    double next_twist = 2 * (own * pc - last * pa), last_twist = 2 * (next * pa - own * pb);
    double turned = pa + w * own_twist + (last * next_twist - next * last_twist);
    double half = (turned - wheels[a][row]) * share, h2 = half * half;
    double far = 17.0 / 315 + h2 * (62.0 / 2835 + h2 * (1382.0 / 155925));
    double tangent = half * (1 + h2 * (1.0 / 3 + h2 * (2.0 / 15 + h2 * far)));
    double cosine = 1 / sqrt(1 + tangent * tangent), sine = tangent * cosine;
    q[0][row] = w * cosine - own * sine;
    q[1 + a][row] = own * cosine + w * sine;
    q[1 + b][row] = next * cosine + last * sine;
    q[1 + c][row] = last * cosine - next * sine;
}

static void turn(int row, const double *inertia, double seconds)
{
    const double suzuki = 0.4144907717943757, middle = 1 - 4 * suzuki;
    const double fractions[5] = {suzuki, suzuki, middle, suzuki, suzuki};
    double before = 0;
    for (int part = 0; part < 5; part++) {
        double fraction = fractions[part];
        turn_about(row, 0, 0.25 * (before + fraction) * seconds / inertia[0]);
        turn_about(row, 1, 0.25 * fraction * seconds / inertia[1]);
        turn_about(row, 2, 0.5 * fraction * seconds / inertia[2]);
        turn_about(row, 1, 0.25 * fraction * seconds / inertia[1]);
        before = fraction;
    }
    turn_about(row, 0, 0.25 * before * seconds / inertia[0]);
}

static double *read_doubles(double *to, size_t count)
{
    if (!to) to = malloc(count * sizeof *to);
    if (!to || fread(to, sizeof *to, count, stdin) != count) exit(1);
    return to;
}

int main(void)
{
    /* rows, last stage, doubles of a stage, bodies around, dry mass, inertia, seconds */
    const double *head = read_doubles(NULL, 9);
    int rows = (int)head[0], last = (int)head[1], stage_doubles = (int)head[2];
    read_doubles(&block[0][0], PLANES * PLANE);
    const double *stages = read_doubles(NULL, (size_t)(last + 1) * stage_doubles);
    const double *around = read_doubles(NULL, (size_t)(AROUND * head[3]));
    for (int row = 0; row < rows; row++) {
        turn(row, head + 5, head[8]);
        bounds(row, around, (int)head[3]);
        step(row, stages, stage_doubles, last, head[4]);
    }
    return fwrite(block, sizeof block, 1, stdout) == 1 ? 0 : 1;
}
