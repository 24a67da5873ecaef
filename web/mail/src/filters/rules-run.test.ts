import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { SieveAction } from '@stoa/mail/formats/sieve/action-types.ts'
import { runScripts } from '@stoa/mail/formats/sieve/run.ts'
import { compiled, environmentOf } from '@stoa/mail/formats/sieve/testing/run.ts'
import { readSieve } from './read-sieve.ts'
import type { Action, Condition, Rule } from './rules.ts'
import { writeSieve } from './write-sieve.ts'

const MAIL = `From: "Ann, the sender" <ann@Example.org>
To: bob@example.com
Cc: carol@example.net
Subject: Invoice *7?
List-Id: News of the harbour <news.harbour.example>
X-Priority: 1
Content-Type: multipart/mixed; boundary=b

--b
Content-Type: text/html

<p>The <b>lamps</b> are lit.</p>
--b
Content-Type: application/pdf
Content-Disposition: attachment; filename="a.pdf"

x
--b--
`

const run = async (rules: readonly Rule[], mail = MAIL): Promise<readonly SieveAction[]> => {
  const { actions, error } = await runScripts([compiled(writeSieve(rules))], environmentOf(mail, { spamPercent: 60 }))
  assert.equal(error, null)
  return actions
}

const isMet = async (conditions: readonly Condition[], match: Rule['match'] = 'all'): Promise<boolean> =>
  (await run([{ name: '', match, conditions, actions: [{ do: 'discard' }] }]))[0]?.kind === 'discard'

const text = (
  on: 'from' | 'to' | 'cc' | 'recipients' | 'subject' | 'list' | 'body',
  test: string,
  ...values: string[]
) => {
  const [not, kind] = test.startsWith('!') ? [true, test.slice(1)] : [false, test]
  const known = (['contains', 'is', 'begins', 'ends', 'matches', 'regex'] as const).find((one) => one === kind)
  return { on, test: known ?? assert.fail(), values, not } as const
}

const runScript = async (script: string) => (await runScripts([compiled(script)], environmentOf(MAIL))).actions

test('a script of another hand does the same after it was edited as rules', async () => {
  for (const script of [
    'require "fileinto"; fileinto "A"; redirect "x@outside.test";',
    'require ["fileinto", "copy"]; if address :domain :is "from" "EXAMPLE.org" { fileinto :copy "A"; } keep; stop;',
    'if header :matches ["Subject"] ["*7?", "x"] { discard; stop; } if true { redirect "x@outside.test"; }',
    'require "imap4flags"; addflag ["\\\\Seen work", "\\\\Flagged"]; # now\nif size :over 0K { keep; }',
    'require "vacation"; if anyof (exists "nothing", address ["cc","to"] "carol@example.net") { vacation text:\nA\n..b\n.\n; }',
    'require "body"; if not body :contains ["lamps", "x"] { discard; } /* end */ keep;',
    'require "reject"; if header :is "x-priority" "1" { reject "no\nthanks"; }',
  ]) {
    const { rules } = readSieve(script)
    assert.ok(rules, script)
    assert.deepEqual(await runScript(writeSieve(rules)), await runScript(script), script)
  }
})

describe('rules do what they say, in the service', () => {
  test('conditions look where they say', async () => {
    for (const [condition, expected] of [
      [text('from', 'contains', 'the sender'), true],
      [text('from', 'is', 'the sender', 'ANN@example.org'), true],
      [text('from', 'is', 'Ann, the sender'), false],
      [text('from', 'ends', '@example.org'), true],
      [text('to', 'begins', 'carol'), false],
      [text('cc', 'begins', 'carol'), true],
      [text('recipients', 'is', 'carol@example.net'), true],
      [text('recipients', 'contains', 'bob'), true],
      [text('subject', 'begins', 'Invoice *'), true],
      [text('subject', 'ends', '?'), true],
      [text('subject', 'ends', '8?'), false],
      [text('subject', 'matches', 'inv?ice*'), true],
      [text('subject', 'regex', '^invoice .[0-9]'), true],
      [text('subject', '!contains', 'invoice'), false],
      [text('list', 'contains', 'news.harbour'), true],
      [text('body', 'contains', 'lamps are lit'), true],
      [text('body', 'contains', 'filename'), false],
      [{ on: 'header', header: 'X-Priority', test: 'is', values: ['1'], not: false }, true],
      [{ on: 'exists', header: 'List-Id', not: false }, true],
      [{ on: 'exists', header: 'X-None', not: true }, true],
      [{ on: 'attachment', not: false }, true],
      [{ on: 'size', over: true, bytes: 100 }, true],
      [{ on: 'size', over: false, bytes: 100 }, false],
      [{ on: 'spam', over: true, percent: 60 }, true],
      [{ on: 'spam', over: true, percent: 61 }, false],
      [{ on: 'spam', over: false, percent: 61 }, true],
    ] as const satisfies readonly (readonly [Condition, boolean])[])
      assert.equal(await isMet([condition]), expected, JSON.stringify(condition))
  })

  test('all, any and none are what they are', async () => {
    const [yes, no] = [text('subject', 'contains', 'invoice'), text('subject', 'contains', 'lamp')]
    assert.equal(await isMet([yes, no], 'all'), false)
    assert.equal(await isMet([yes, no], 'any'), true)
    assert.equal(await isMet([]), true)
  })

  test('a mail without a file has no attachment', async () => {
    const plain = 'Subject: a\n\nb\n'
    const actions: Action[] = [{ do: 'discard' }]
    const rule: Rule = { name: '', match: 'all', conditions: [{ on: 'attachment', not: false }], actions }
    assert.equal((await run([rule], plain))[0]?.kind, 'keep')
  })

  test('marks go with the message wherever it is filed, and stop ends it', async () => {
    const actions = await run([
      {
        name: '',
        match: 'all',
        conditions: [],
        actions: [
          { do: 'stop' },
          { do: 'file', folder: 'A/B', create: true, copy: false },
          { do: 'redirect', to: 'bob@outside.test', copy: true },
          { do: 'label', label: 'work' },
          { do: 'seen' },
        ],
      },
      { name: '', match: 'all', conditions: [], actions: [{ do: 'discard' }] },
    ])
    assert.deepEqual(
      actions.map(({ kind }) => kind),
      ['fileinto', 'redirect'],
    )
    const [filed] = actions
    assert.ok(filed?.kind === 'fileinto' && filed.mailbox === 'A/B' && filed.create)
    assert.deepEqual(filed.flags, ['work', '\\Seen'])
  })

  test('a reply has the text and the days that were typed', async () => {
    const words = 'Away.\n.\n"Back" on Monday\\'
    const [action] = await run([
      { name: '', match: 'all', conditions: [], actions: [{ do: 'reply', subject: 'Away', text: words, days: 3 }] },
    ])
    assert.ok(action?.kind === 'vacation')
    assert.equal(action.reason, words.replaceAll('\n', '\r\n'))
    assert.equal(action.seconds, 3 * 86_400)
    assert.equal(action.subject, 'Away')
  })
})
