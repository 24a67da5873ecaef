// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of Sieve are written so.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { compileScript } from '@stoa/mail/formats/sieve/compile.ts'
import { standardLanguage } from '@stoa/mail/formats/sieve/standard.ts'
import fc from 'fast-check'
import { readSieve } from './read-sieve.ts'
import { type Action, type Condition, type Rule, textFields, textTests, tidyRules } from './rules.ts'
import { ruleAtLine, writeSieve } from './write-sieve.ts'

const SEED = 20261115

/** Texts that break whatever is not written with care. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({
    unit: fc.constantFrom(
      '"',
      '\\',
      '\n',
      '\r\n',
      '\r',
      '.',
      '*',
      '?',
      '#',
      ';',
      '}',
      '/*',
      '*/',
      'a',
      ' ',
      '${x}',
      'é',
    ),
    maxLength: 8,
  }),
)
const pattern = fc.constantFrom('a', '^Re: .*', '[0-9]{2,3}', 'a\\.b', '"x"', '\\\\$')
const header = fc.oneof(text, fc.constantFrom('X-Mailer', 'From', 'subject', 'List-Id', 'to'))
const not = fc.boolean()
const comparison = fc.oneof(
  fc.record({ test: fc.constantFrom(...textTests.filter((one) => one !== 'regex')), values: someOf(text), not }),
  fc.record({ test: fc.constant('regex' as const), values: someOf(pattern), not }),
)
const condition: fc.Arbitrary<Condition> = fc.oneof(
  fc.tuple(fc.constantFrom(...textFields), comparison).map(([on, rest]) => ({ on, ...rest })),
  fc.tuple(header, comparison).map(([name, rest]) => ({ on: 'header' as const, header: name, ...rest })),
  fc.record({ on: fc.constant('exists' as const), header, not }),
  fc.record({ on: fc.constant('attachment' as const), not }),
  fc.record({ on: fc.constant('size' as const), over: not, bytes: fc.nat() }),
  fc.record({ on: fc.constant('spam' as const), over: not, percent: fc.nat(100) }),
)
const address = fc.constantFrom('ann@outside.test', 'Bob <bob@outside.test>', '"a b"@outside.test')
const action: fc.Arbitrary<Action> = fc.oneof(
  fc.record({ do: fc.constant('file' as const), folder: text, create: not, copy: not }),
  fc.record({
    do: fc.constantFrom('seen' as const, 'flag' as const, 'discard' as const, 'keep' as const, 'stop' as const),
  }),
  fc.record({ do: fc.constant('label' as const), label: fc.oneof(text, fc.constantFrom('work', '$label1')) }),
  fc.record({ do: fc.constant('redirect' as const), to: address, copy: not }),
  fc.record({ do: fc.constant('reply' as const), subject: text, text, days: fc.integer({ min: -1, max: 100 }) }),
  fc.record({ do: fc.constant('reject' as const), reason: text }),
)
const rules: fc.Arbitrary<Rule[]> = fc.array(
  fc.record({
    name: text,
    match: fc.constantFrom('all' as const, 'any' as const),
    conditions: fc.array(condition, { maxLength: 4 }),
    actions: fc.array(action, { maxLength: 5 }),
  }),
  { maxLength: 4 },
)

function someOf<T>(value: fc.Arbitrary<T>) {
  return fc.array(value, { minLength: 1, maxLength: 3 })
}

const problemsOf = (script: string) => compileScript(script, standardLanguage).problems

describe('rules as Sieve', () => {
  test('all rules come back as they were, and the service compiles their script', () => {
    fc.assert(
      fc.property(rules, (made) => {
        const script = writeSieve(made)
        const tidy = tidyRules(made)
        assert.deepEqual(readSieve(script), { rules: tidy, problem: null }, script)
        assert.deepEqual(problemsOf(script), [], script)
        assert.deepEqual(tidyRules(tidy), tidy)
        assert.equal(writeSieve(tidy), script)
      }),
      { seed: SEED, numRuns: 2000 },
    )
  })

  test('a script reads like one that a person wrote', () => {
    const script = writeSieve([
      {
        name: 'Newsletters',
        match: 'any',
        conditions: [
          { on: 'list', test: 'contains', values: ['news.example'], not: false },
          { on: 'from', test: 'ends', values: ['@shop.example', '@mail.example'], not: false },
        ],
        actions: [{ do: 'file', folder: 'News', create: true, copy: false }, { do: 'seen' }, { do: 'stop' }],
      },
    ])
    assert.equal(
      script,
      [
        'require ["fileinto", "mailbox", "imap4flags"];',
        '',
        '# Newsletters',
        'if anyof (',
        '  header :contains "list-id" "news.example",',
        '  address :matches "from" ["*@shop.example", "*@mail.example"]',
        ') {',
        '  addflag "\\\\Seen";',
        '  fileinto :create "News";',
        '  stop;',
        '}',
        '',
      ].join('\n'),
    )
  })

  test('a line of the script leads to its rule', () => {
    const rule: Rule = { name: 'One', match: 'all', conditions: [], actions: [{ do: 'reject', reason: 'a\nb' }] }
    const made = [rule, { ...rule, name: 'Two' }]
    const lines = writeSieve(made).split('\n')
    assert.equal(ruleAtLine(made, 1), null)
    assert.equal(ruleAtLine(made, lines.indexOf('# One') + 1), 0)
    assert.equal(ruleAtLine(made, lines.indexOf('# Two')), 0)
    assert.equal(ruleAtLine(made, lines.indexOf('# Two') + 1), 1)
    assert.equal(ruleAtLine(made, lines.length), 1)
  })
})

const only = (script: string): Rule => {
  const { rules: found, problem } = readSieve(script)
  assert.equal(problem, null)
  assert.deepEqual(problemsOf(script), [])
  assert.equal(found?.length, 1)
  return found?.[0] ?? assert.fail()
}

describe('scripts of other hands', () => {
  test('simple ones are read as the rules that they are', () => {
    assert.deepEqual(
      only(
        'require ["fileinto","imap4flags"]; if header :comparator "i;ascii-casemap" :is ["Subject"] "x" { setthis; }'.replace(
          'setthis',
          'addflag "\\\\Seen \\\\Flagged"; fileinto "A"',
        ),
      ),
      {
        name: '',
        match: 'all',
        conditions: [{ on: 'subject', test: 'is', values: ['x'], not: false }],
        actions: [{ do: 'seen' }, { do: 'flag' }, { do: 'file', folder: 'A', create: false, copy: false }],
      },
    )
    assert.deepEqual(only('if address :domain ["CC", "to"] "example.org" { discard; }').conditions, [
      { on: 'recipients', test: 'ends', values: ['@example.org'], not: false },
    ])
    assert.deepEqual(only('# Away\nrequire_x'.replace('require_x', 'redirect "a@b.example"; stop;')), {
      name: 'Away',
      match: 'all',
      conditions: [],
      actions: [{ do: 'redirect', to: 'a@b.example', copy: false }, { do: 'stop' }],
    })
    assert.deepEqual(only('require "reject"; if not exists "X" { reject text:\n..dot\nb\n.\n; }').actions, [
      { do: 'reject', reason: '.dot\nb\n' },
    ])
  })

  test('those that say more than rules can are left to the text', () => {
    for (const [script, why] of [
      ['if true { stop; } else { discard; }', /else/],
      ['require "variables"; set "a" "b";', /variables/],
      ['if true { if true { stop; } }', /“if”/],
      ['if allof (anyof (true, true), true) { stop; }', /anyof|nested/],
      ['if true { stop; keep; }', /after “stop”/],
      ['require ["fileinto", "imap4flags"]; fileinto "a"; addflag "\\\\Seen";', /marks/],
      ['require ["fileinto", "imap4flags"]; fileinto :flags "\\\\Seen" "a";', /“fileinto”/],
      ['if header :comparator "i;octet" "a" "b" { stop; }', /“header”/],
      ['if not size :over 1M { stop; }', /“size”/],
      ['if true { # why\n stop; }', /comments/],
      ['# top\nrequire "copy"; keep;', /comments/],
      ['if true { stop }', /error/],
      ['fileinto "never closed', /error/],
    ] as const) {
      const { rules: found, problem } = readSieve(script)
      assert.equal(found, null, script)
      assert.match(problem ?? '', why, script)
    }
  })

  test('any text is read or refused, and what is read means what is written', () => {
    const word = fc.constantFrom(
      'if',
      'true',
      '{',
      '}',
      ';',
      '"a"',
      '[',
      ']',
      ',',
      'stop',
      'keep',
      'header',
      ':is',
      ' ',
      '\n',
      '#x\n',
      'not',
      'text:\n',
      '.\n',
      '7K',
      '(',
      ')',
    )
    fc.assert(
      fc.property(fc.array(word, { maxLength: 25 }), (words) => {
        const script = words.join(' ')
        const { rules: found } = readSieve(script)
        if (found && problemsOf(script).length === 0) assert.deepEqual(problemsOf(writeSieve(found)), [], script)
      }),
      { seed: SEED, numRuns: 2000 },
    )
  })
})
