/**
 * Offers that are shown only while a key is held. VS Code does not report a key's release, but a held key
 * repeats: when the repetition ends, the offer is hidden.
 */

/**
 * Milliseconds until a held key repeats for the first time, with slow settings, and between further
 * repetitions.
 */
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

  /** The key was pressed, or repeats. */
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
