// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of Sieve are written so.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { workMs } from '@stoa/tests/lib/work.ts'
import fc from 'fast-check'
import { compileScript, extensionsOf } from './compile.ts'
import { readTokens } from './lexer.ts'
import { problemText } from './problems.ts'
import { standardExtensions, standardLanguage } from './standard.ts'
import { problemOf, withAll } from './testing/run.ts'

const SEED = 20261115

describe('reading a script (RFC 5228 §2, §8)', () => {
  const texts = (source: string) =>
    readTokens(source).map((token) => ('text' in token ? token.text : 'value' in token ? token.value : token.kind))
  test('words, tags, numbers with units and comments', () => {
    assert.deepEqual(texts('IF :Over 2K /* a\n# b */ 3m # end\n;'), ['if', 'over', 2048, 3 * 1024 * 1024, ';', 'end'])
  })
  test('a backslash takes the next character as it is', () => {
    assert.deepEqual(texts('"a\\"b\\\\c\\d"'), ['a"b\\cd', 'end'])
  })
  test('a text ends with a line of one dot, and two dots are one', () => {
    assert.deepEqual(texts('text: # why\r\na\r\n..b\r\n.\r\n;'), ['a\r\n.b\r\n', ';', 'end'])
    assert.deepEqual(texts('text:\n.\n'), ['', 'end'])
  })
  test('lines in strings end as in mail', () => assert.deepEqual(texts('"a\nb\r\nc"'), ['a\r\nb\r\nc', 'end']))
})

describe('a problem has line and column', () => {
  for (const [source, expected] of [
    ['keep', 'line 1, column 5: expected ";" to end the command "keep", found the end of the script'],
    ['\n  "x";', 'line 2, column 3: expected a command, found a string'],
    ['keep;\r\n/* open', "line 2, column 1: this comment isn't closed with */"],
    ['redirect "a', 'line 1, column 10: this string isn\'t closed with "'],
    ['redirect text:\na', "line 1, column 10: this text isn't closed with a line that contains only a dot"],
    ['if size :over 3000000000 {}', 'line 1, column 15: this number is larger than 2147483647'],
    ['if size :over 3X {}', 'line 1, column 15: a number can only be followed by K, M or G as its unit'],
    ['keep; }', 'line 1, column 7: "}" doesn\'t match an opening bracket'],
    ['if true { keep;', 'line 1, column 16: expected "}" to close the block of "if", found the end of the script'],
    ['if anyof (true, false {}', 'line 1, column 23: expected ")" to close the list, found "{"'],
    ['redirect [];', 'line 1, column 11: expected a string, found "]"'],
    ['§', 'line 1, column 1: "§" isn\'t allowed here'],
    ['redirect "a\0b";', "line 1, column 10: a string can't contain a NUL character"],
    ['nonsense "x";', 'line 1, column 1: unknown command "nonsense"'],
    ['if keep {}', 'line 1, column 4: "keep" is a command, not a test'],
    ['true;', 'line 1, column 1: "true" is a test, not a command'],
    ['keep 5;', 'line 1, column 6: "keep" doesn\'t take this argument'],
    ['redirect;', 'line 1, column 1: "redirect" is missing an argument: a string'],
    ['redirect ["a@b.example"];', 'line 1, column 10: "redirect" expects a string here'],
    ['if header "a" :is "b" {}', 'line 1, column 15: ":is" must come before the positional arguments'],
    ['if header :is :contains "a" "b" {}', 'line 1, column 15: ":contains" can\'t be combined with ":is"'],
    ['if header :comparator "x" "a" "b" {}', 'line 1, column 4: unknown comparator "x"'],
    ['if true;', 'line 1, column 1: "if" requires a block in braces'],
    ['keep {}', 'line 1, column 1: "keep" doesn\'t take a block; end it with a semicolon'],
    ['if not (true) {}', 'line 1, column 4: "not" requires one test'],
    ['if anyof true {}', 'line 1, column 4: "anyof" requires a list of tests in parentheses'],
    ['keep true;', 'line 1, column 1: "keep" doesn\'t take a test'],
  ] as const)
    test(JSON.stringify(source), () => assert.equal(problemOf(source), expected))

  test('all problems are reported, up to twenty', () => {
    assert.equal(compileScript('a; b;\nc;', standardLanguage).problems.length, 3)
    assert.equal(compileScript('a;'.repeat(100), standardLanguage).problems.length, 20)
  })
  test('a script has a longest length', () => assert.match(problemOf(`# ${'x'.repeat(65_536)}`), /longer than 65536/))
  test('words of the prototype are no words of the language', () => {
    for (const name of ['constructor', '__proto__', 'tostring', 'valueof'])
      assert.match(problemOf(`${name}; if ${name} {} keep :${name};`), /unknown command.*unknown test.*no argument/)
  })
})

test('the extensions of a script are known also when the rest is wrong', () => {
  assert.deepEqual(extensionsOf('require ["a", "b"]; require "a";\n nonsense "c" "'), ['a', 'b'])
  assert.deepEqual(extensionsOf('/* require "x"; */ keep "y";'), [])
})

describe('compiling never throws', () => {
  const words = [
    ...[
      'if',
      'elsif',
      'else',
      'require',
      'stop',
      'keep',
      'not',
      'anyof',
      'allof',
      'true',
      'text:\n',
      '"${a}"',
      '"${hex:41}"',
    ],
    ...[
      ':is',
      ':matches',
      ':comparator',
      ':regex',
      ':value',
      '"gt"',
      '"i;octet"',
      '"(a|b)*"',
      '"a@b.example"',
      '"subject"',
    ],
    ...['(', ')', '[', ']', '{', '}', ',', ';', '1', '2K', '"', '\\', '/*', '*/', '#', '\n', '.\n', ':', '$'],
    ...standardExtensions.flatMap(({ name, commands, tests, tags }) => [
      JSON.stringify(name),
      ...Object.keys(commands ?? {}),
      ...Object.keys(tests ?? {}),
      ...Object.values(tags ?? {}).flatMap((own) => Object.keys(own).map((tag) => `:${tag}`)),
    ]),
  ]
  const check = (source: string) => {
    for (const problem of compileScript(source, standardLanguage).problems)
      assert.match(problemText(problem), /^line \d+, column \d+: \S/)
    extensionsOf(source)
  }
  test('for any text', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 200 }), check), { seed: SEED, numRuns: 500 })
  })
  test('for any words of the language', () => {
    const source = fc.array(fc.constantFrom(...words), { maxLength: 30 }).map((parts) => parts.join(' '))
    fc.assert(
      fc.property(source, (text) => [text, withAll(text)].forEach(check)),
      { seed: SEED, numRuns: 800 },
    )
  })
})

describe('compiling is linear', () => {
  const hostile: Record<string, (size: number) => string> = {
    'blocks that never close': (size) => 'if true {'.repeat(size / 9),
    'tests in tests': (size) => `if ${'not '.repeat(size / 4)}true {}`,
    'lists that never close': (size) => `redirect ${'['.repeat(size)}`,
    comments: (size) => '/* */'.repeat(size / 5),
    'comments that never close': (size) => '/*'.repeat(size / 2),
    'strings that never close': (size) => '"\\'.repeat(size / 2),
    'texts that never end': (size) => 'text:\n'.repeat(size / 6),
    'one long list': (size) => `require [${'"a",'.repeat(size / 4)}"b"];`,
    'many commands': (size) => 'keep;'.repeat(size / 5),
    'many references': (size) => withAll(`redirect "${'${a}'.repeat(size / 4)}";`),
    'encoded characters that never end': (size) =>
      withAll(`redirect "${'${hex:'.repeat(size / 12)}${'41 '.repeat(size / 6)}";`),
    blanks: (size) => `${' '.repeat(size)}keep;`,
    'one long word': (size) => `${'a'.repeat(size)};`,
    'many tags': (size) => `keep ${':a '.repeat(size / 3)};`,
  }
  for (const [name, make] of Object.entries(hostile))
    test(name, () => {
      const started = workMs()
      compileScript(make(60_000), standardLanguage)
      // Quadratic work on 60,000 characters would take minutes.
      assert.ok(workMs() - started < 3000)
    })
})
