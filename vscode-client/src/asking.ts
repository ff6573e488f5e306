/**
 * Whether the server is asked at all. A request that is not wanted is never sent: while completions are paused or
 * disabled, and while someone types in manual mode, the server has nothing to do. Pure, except for the timer.
 */
import type { CompletionSettings } from "./settings";

export interface Occasion {
  /** Asked for with a key or a command, rather than by typing. */
  readonly isExplicit: boolean;
  readonly isPaused: boolean;
}

export function isWanted({ isExplicit, isPaused }: Occasion, settings: CompletionSettings): boolean {
  if (isPaused || !settings.enable) {
    return false;
  }
  return isExplicit || !settings.manualOnly;
}

/** The time to wait for another keystroke. A user who asks with a key has finished typing. */
export function delay({ isExplicit }: Occasion, { debounce }: CompletionSettings): number {
  return isExplicit ? 0 : debounce;
}

/** The part of VS Code's token that is needed here. */
export interface Cancellation {
  readonly isCancellationRequested: boolean;
  onCancellationRequested(listener: () => void): { dispose(): void };
}

/** Waits, and tells whether the wait came to its end: a keystroke in between cancels the token. */
export function waitElapsed(milliseconds: number, token: Cancellation): Promise<boolean> {
  if (token.isCancellationRequested) {
    return Promise.resolve(false);
  }
  if (milliseconds <= 0) {
    return Promise.resolve(true);
  }
  return new Promise((resolve) => {
    const timer = setTimeout(() => finish(true), milliseconds);
    const subscription = token.onCancellationRequested(() => finish(false));
    function finish(isOver: boolean): void {
      clearTimeout(timer);
      subscription.dispose();
      resolve(isOver);
    }
  });
}
