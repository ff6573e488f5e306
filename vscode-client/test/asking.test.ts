import assert from "node:assert/strict";
import { test } from "node:test";
import { type Cancellation, delay, isWanted, waitElapsed } from "../src/asking";

const SETTINGS = { enable: true, manualOnly: false, debounce: 75 };
const TYPING = { isExplicit: false, isPaused: false };
const ASKED = { isExplicit: true, isPaused: false };

/** A token that the test cancels, and that counts its listeners. */
class Token implements Cancellation {
  isCancellationRequested = false;
  private readonly listeners = new Set<() => void>();

  onCancellationRequested(listener: () => void): { dispose(): void } {
    this.listeners.add(listener);
    return { dispose: () => this.listeners.delete(listener) };
  }

  cancel(): void {
    this.isCancellationRequested = true;
    for (const listener of [...this.listeners]) {
      listener();
    }
  }

  get nListeners(): number {
    return this.listeners.size;
  }
}

test("typing and asking get completions", () => {
  assert.ok(isWanted(TYPING, SETTINGS));
  assert.ok(isWanted(ASKED, SETTINGS));
});

test("in manual mode only asking does", () => {
  assert.ok(!isWanted(TYPING, { ...SETTINGS, manualOnly: true }));
  assert.ok(isWanted(ASKED, { ...SETTINGS, manualOnly: true }));
});

test("while paused or disabled nothing is sent, not even when asked", () => {
  assert.ok(!isWanted({ ...ASKED, isPaused: true }, SETTINGS));
  assert.ok(!isWanted(ASKED, { ...SETTINGS, enable: false }));
});

test("who asks does not wait", () => {
  assert.equal(delay(ASKED, SETTINGS), 0);
  assert.equal(delay(TYPING, SETTINGS), 75);
});

test("a wait that is not cancelled comes to its end and leaves no listener", async () => {
  const token = new Token();
  assert.equal(await waitElapsed(1, token), true);
  assert.equal(token.nListeners, 0);
});

test("a keystroke ends the wait at once, long before its time", async () => {
  const token = new Token();
  const waiting = waitElapsed(1_000_000, token);
  token.cancel();
  assert.equal(await waiting, false);
  assert.equal(token.nListeners, 0);
});

test("a token that was cancelled before starts no wait", async () => {
  const token = new Token();
  token.cancel();
  assert.equal(await waitElapsed(0, token), false);
});
