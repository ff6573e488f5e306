/**
 * Whether a request is sent to the server. An unwanted request is never sent: the server stays idle while
 * completions are paused or disabled, and while the user types in manual mode. Pure, except for the timer.
 */
import type { CompletionSettings } from "./settings";

export interface Occasion {
  /** Requested with a key or a command, and not by typing. */
  readonly isExplicit: boolean;
  readonly isPaused: boolean;
}

export function isWanted({ isExplicit, isPaused }: Occasion, settings: CompletionSettings): boolean {
  if (isPaused || !settings.enable) {
    return false;
  }
  return isExplicit || !settings.manualOnly;
}

/** The time to wait for another keystroke; a request by key needs no wait. */
export function delay({ isExplicit }: Occasion, { debounce }: CompletionSettings): number {
  return isExplicit ? 0 : debounce;
}

/** The part of VS Code's token that is needed here. */
export interface Cancellation {
  readonly isCancellationRequested: boolean;
  onCancellationRequested(listener: () => void): { dispose(): void };
}

/** Whether the time passed without a keystroke, which would cancel the token. */
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
