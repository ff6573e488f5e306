/**
 * Offers that are shown only while a key is held. VS Code tells of no key's end, but a key that is held is pressed again
 * and again: when it is not any more, the offer goes.
 */

/** Milliseconds until a held key is pressed for the second time, on slow settings, and between the ones behind it. */
const FIRST = 800;
const NEXT = 250;

export class Held {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly show: () => void,
    private readonly hide: () => void,
    private readonly first = FIRST,
    private readonly next = NEXT,
  ) {}

  /** The key was pressed, or is held. */
  press(): void {
    const isHeld = this.timer !== undefined;
    clearTimeout(this.timer);
    if (!isHeld) {
      this.show();
    }
    this.timer = setTimeout(() => this.end(), isHeld ? this.next : this.first);
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private end(): void {
    this.timer = undefined;
    this.hide();
  }
}
