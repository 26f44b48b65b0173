/** How many pixels are drawn: fewer while the machine cannot follow. */
import type { Settings } from '../session/settings.ts'

/** Device pixels per pixel at most, and what is left of them at least. */
const RATIO_MAX = 2
const SHARE_MIN = 0.41

/** Two steps draw half of the pixels. */
const STEP = 2 ** -0.25

/** Frames that take longer on the mean of so many are too slow; quicker ones have room [ms]. */
const SLOW_MS = 34
const QUICK_MS = 22
const FRAMES = 20

/** So many quick means in a row bring pixels back: at first, and after many attempts. */
const PATIENCE_MIN = 3
const PATIENCE_MAX = 200

/** A longer gap is a page that slept [ms]. */
const GAP_MS = 1000

export class PictureQuality {
  #share = 1
  readonly #setting: Settings['quality']
  #frames = 0
  #startMs = 0
  #lastMs = 0
  #quick = 0
  #patience = PATIENCE_MIN
  /** whether the last change brought pixels back */
  #isBack = false

  constructor({ quality }: Pick<Settings, 'quality'>) {
    this.#setting = quality
  }

  /** Of the device's pixels, one way. */
  get share(): number {
    return { auto: this.#share, low: SHARE_MIN, high: 1 }[this.#setting.peek()]
  }

  get pixelRatio(): number {
    return Math.min(devicePixelRatio, RATIO_MAX) * this.share
  }

  /** Takes note of a frame; true when the number of pixels has changed. */
  note(nowMs: number): boolean {
    if (nowMs - this.#lastMs > GAP_MS) this.#frames = 0
    this.#lastMs = nowMs
    if (this.#frames++ === 0) this.#startMs = nowMs
    if (this.#frames <= FRAMES) return false
    const mean = (nowMs - this.#startMs) / (this.#frames - 1)
    this.#frames = 0
    return this.#setting.peek() === 'auto' && this.#adapt(mean)
  }

  #adapt(meanMs: number): boolean {
    if (meanMs >= SLOW_MS) {
      this.#quick = 0
      if (this.#share * STEP < SHARE_MIN) return false
      this.#share *= STEP
      // Pixels that came back too early are left out longer.
      if (this.#isBack) this.#patience = Math.min(this.#patience * 2, PATIENCE_MAX)
      this.#isBack = false
      return true
    }
    this.#quick = meanMs < QUICK_MS ? this.#quick + 1 : 0
    if (this.#share === 1 || this.#quick < this.#patience) return false
    this.#quick = 0
    this.#isBack = true
    const share = this.#share / STEP
    this.#share = share > 0.99 ? 1 : share
    return true
  }
}
