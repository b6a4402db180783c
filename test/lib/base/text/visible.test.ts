import { describe, expect, test } from 'vitest';
import { escapeJson, visible, visibleLines } from '../../../../src/lib/base/text/visible.ts';

const bidi = [0x061c, 0x200e, 0x200f, ...range(0x202a, 0x202e), ...range(0x2066, 0x2069)];
const separators = [0x2028, 0x2029];
const zeroWidth = [0x180e, 0x200b, 0x2060, 0xfeff, 0xfff9, 0xfffa, 0xfffb];
const tags = range(0xe0000, 0xe007f);
const controls = [...range(0x00, 0x1f), 0x7f, ...range(0x80, 0x9f)];

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

describe('visible', () => {
  test.each([
    ['\x1b[31mred\x1b[0m', '\\x1b[31mred\\x1b[0m'],
    ['a\nb\r\nc\td', 'a\\nb\\r\\nc\\td'],
    ['\0\x07\x7f', '\\x00\\x07\\x7f'],
    ['\x9b31m', '\\x9b31m'],
    ['user\u202egpj.exe', 'user\\u{202e}gpj.exe'],
    ['a\u2066b\u2069', 'a\\u{2066}b\\u{2069}'],
    ['a\u2028b\u2029', 'a\\u{2028}b\\u{2029}'],
    ['\ufeffa\u200bb\u2060c', '\\u{feff}a\\u{200b}b\\u{2060}c'],
    ['\ud800', '\\u{d800}'],
    ['a\udc00b', 'a\\u{dc00}b'],
    ['\ude00\ud83d', '\\u{de00}\\u{d83d}'],
    ['ad\u200dmin', 'ad\\u{200d}min'],
    ['\u200cadmin', '\\u{200c}admin'],
    ['1\u200d2', '1\\u{200d}2'],
    ['пар\u200dоль', 'пар\\u{200d}оль'],
    ['👍\u200d\u200d', '👍\u200d\\u{200d}'],
    // Invisible text that only programs read; a flag such as England's is encoded the same way.
    ['Hi\u{e0001}\u{e0059}\u{e0065}\u{e0073}', 'Hi\\u{e0001}\\u{e0059}\\u{e0065}\\u{e0073}'],
    ['🏴\u{e0067}\u{e007f}', '🏴\\u{e0067}\\u{e007f}'],
    ['❤\ufe0f\ufe0f\u{e0100}', '❤\ufe0f\\u{fe0f}\\u{e0100}'],
    ['a\ufe0fb', 'a\\u{fe0f}b'],
    ['pass\u00adword', 'pass\\xadword'],
    ['\u3164\u115f\uffa0\u034f', '\\u{3164}\\u{115f}\\u{ffa0}\\u{034f}'],
  ])('%j', (text, expected) => {
    expect(visible(text)).toBe(expected);
  });

  test.each([
    '',
    'plain text, "quoted" \\n',
    'José García: 5 €, ½ – “x”',
    '山田太郎',
    '👩‍👩‍👧 👍🏽 ❤️ 🏴‍☠️ 🧑🏽‍🚀 ✊🏿 1️⃣ 🇩🇪',
    '葛\u{e0100} ᠠ\u180b ≨\ufe00',
    'نامه\u200cای',
    'क्\u200dष क्\u200cष',
    'ന്\u200d',
    'שלום عالم',
    'e\u0301',
    'non\u00a0breaking',
  ])('%s is not changed', (text) => {
    expect(visible(text)).toBe(text);
  });

  test('every control, bidi, zero-width and tag character is escaped in ASCII', () => {
    for (const code of [...controls, ...bidi, ...separators, ...zeroWidth, ...tags]) {
      const shown = visible(`a${String.fromCodePoint(code)}b`);
      expect(shown).toMatch(/^a\\([nrt]|x[0-9a-f]{2}|u\{[0-9a-f]{4,5}\})b$/);
    }
  });

  test('twice is the same as once', () => {
    const text = String.fromCharCode(...range(0, 0xffff));
    expect(visible(visible(text))).toBe(visible(text));
  });
});

test.each([
  ['a\nb', 'a\nb'],
  ['a\r\nb\r\n', 'a\nb\n'],
  ['a\rb', 'a\\rb'],
  ['\n\n', '\n\n'],
  ['a\tb\x1b[2J\nc', 'a\\tb\\x1b[2J\nc'],
  ['a\n\u200db', 'a\n\\u{200d}b'],
])('visibleLines of %j', (text, expected) => {
  expect(visibleLines(text)).toBe(expected);
});

describe('escapeJson', () => {
  test.each([
    ['"\x9b31m\x7f"', '"\\u009b31m\\u007f"'],
    ['"a\u2028b"', '"a\\u2028b"'],
    ['"\u202egpj"', '"\\u202egpj"'],
    ['{"josé":"👩‍👧❤️"}', '{"josé":"👩‍👧❤️"}'],
    ['"a\u{e0041}b\u200b"', '"a\\udb40\\udc41b\\u200b"'],
    ['[\n  1\n]', '[\n  1\n]'],
  ])('%j', (json, expected) => {
    expect(escapeJson(json)).toBe(expected);
  });

  test('the value does not change, and no control or bidi character is left', () => {
    const text = String.fromCharCode(...range(0, 0xffff));
    const value = { [text]: [text, 1, null] };
    const escaped = escapeJson(JSON.stringify(value));
    expect(JSON.parse(escaped)).toEqual(value);
    for (const code of [...controls, ...bidi, ...separators]) {
      expect(escaped).not.toContain(String.fromCharCode(code));
    }
  });
});
