// How a judge that runs in Node is asked: text by text, over its standard streams.
//
// A text comes as its length in bytes, a line break, and the bytes. It is answered by one line, what `verdict` makes
// of it.
"use strict";

exports.answer = (verdict) => {
  let waiting = Buffer.alloc(0);
  process.stdin.on("data", (chunk) => {
    waiting = Buffer.concat([waiting, chunk]);
    for (;;) {
      const end = waiting.indexOf(10);
      if (end < 0) return;
      const length = Number(waiting.toString("latin1", 0, end));
      if (waiting.length < end + 1 + length) return;
      const text = waiting.toString("utf8", end + 1, end + 1 + length);
      waiting = waiting.subarray(end + 1 + length);
      process.stdout.write(verdict(text).replace(/[\r\n\u2028\u2029]+/g, " ") + "\n");
    }
  });
};
