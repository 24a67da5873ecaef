// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of Sieve are written so.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { workMs } from '@stoa/tests/lib/work.ts'
import { text } from './arguments.ts'
import type { Call } from './compiled.ts'
import { defineExtension } from './define.ts'
import { defaultLimits } from './limits.ts'
import { runScripts } from './run.ts'
import { runState } from './run-state.ts'
import { createLanguage, standardExtensions } from './standard.ts'
import { messageOf } from './testing/message.ts'
import { assertTest, compiled, environmentOf, runAll } from './testing/run.ts'

const long = 'a'.repeat(200_000)

describe('hostile scripts stay bounded', () => {
  const cases: Record<string, [source: string, reason: RegExp, mail?: string]> = {
    'too many variables': [
      Array.from({ length: 200 }, (_, index) => `set "v${index}" "x";`).join(''),
      /more than 128 variables/,
    ],
    'strings that double': [
      `set "a" "${'x'.repeat(4000)}"; ${'redirect "${a}${a}${a}${a}";'.repeat(1)}`,
      /isn't an address/,
    ],
    'a template of long variables': [
      `set "a" "${'x'.repeat(4000)}"; ${`if string :contains "${'${a}'.repeat(2000)}" "b" {}`.repeat(3)}`,
      /too long/,
    ],
    'regular expressions on a long text': [
      Array.from({ length: 20 }, () => `if header :regex "x" "(a|a|aa|b)*(a*)*c${'a?'.repeat(200)}" {}`).join(''),
      /more operations/,
      `X: ${long}\n\n`,
    ],
    'wildcards on a long text': [
      `set "p" "${'*a?'.repeat(300)}b*"; ${'if header :matches "x" "${p}" {}'.repeat(200)}`,
      /more operations/,
      `X: ${long}\n\n`,
    ],
    'long keys on long values': [
      `${Array.from({ length: 300 }, () => `if body :raw :contains "${'a'.repeat(150)}b" {}`).join('')}`,
      /more operations/,
      `X: y\n\n${long.repeat(5)}`,
    ],
    'loops in loops over many parts': [
      'foreverypart { foreverypart { foreverypart { if header :mime "subject" "x" { keep; } } } }',
      /more operations/,
      nestedMail(40),
    ],
  }
  for (const [name, [source, reason, mail]] of Object.entries(cases))
    test(name, async () => {
      const started = workMs()
      const limits = { ...defaultLimits, operations: 1_000_000 }
      const { actions, error } = await runAll(source, { ...(mail && { mail }), options: { limits } })
      assert.match(error?.message ?? '', name.startsWith('loops') ? /more operations|^$/ : reason)
      assert.deepEqual(
        actions.map(({ kind }) => kind),
        ['keep'],
      )
      assert.ok(workMs() - started < 5000)
    })

  test('a run ends at its budget of operations, and keeps', async () => {
    const { actions, error } = await runAll('keep;'.repeat(50), {
      options: { limits: { ...defaultLimits, operations: 20 } },
    })
    assert.match(error?.message ?? '', /more operations/)
    assert.deepEqual(
      actions.map(({ kind }) => kind),
      ['keep'],
    )
  })
  test('a regular expression that is too large is refused when it is compiled or made', async () => {
    assert.match(
      (await runAll('set "p" "((a{200}){200}){200}"; if string :regex "a" "${p}" {}')).error?.message ?? '',
      /too large/,
    )
  })
  test('what the environment throws is thrown: the message is not lost', async () => {
    const exists = () => Promise.reject(new Error('the database is away'))
    await assert.rejects(runAll('if mailboxexists "a" {}', { mailboxes: { exists } }), /database is away/)
  })
})

describe('the language can be added to from outside', () => {
  const suiteState = runState((): { open: Call[]; failures: string[] } => ({ open: [], failures: [] }))
  const reports: string[] = []
  /** As a test suite of another mail system has it. */
  const suite = defineExtension({
    name: 'vnd.test.suite',
    commands: {
      test: {
        positional: ['string'],
        block: true,
        run: async (call, run) => {
          suiteState(run).open.push(call)
          const flow = await run.block(call.block)
          suiteState(run).open.pop()
          reports.push(`${text(call, 0, run)} ${flow?.kind === 'leave' ? 'failed' : 'passed'}`)
          return flow?.kind === 'leave' && flow.call === call ? undefined : flow
        },
      },
      test_fail: {
        positional: ['string'],
        check: (_call, { enclosing }) => (enclosing.some(({ name }) => name === 'test') ? null : 'only inside a test'),
        run: (call, run) => {
          const { open, failures } = suiteState(run)
          failures.push(text(call, 0, run))
          const current = open.at(-1)
          return current && { kind: 'leave', call: current }
        },
      },
      test_set: {
        positional: ['string', 'string'],
        run: (call, run) => {
          run.chain.message = messageOf(text(call, 1, run))
          return undefined
        },
      },
    },
    tests: {
      test_failures: {
        positional: ['number'],
        test: ({ values: [count] }, run) => count?.kind === 'number' && suiteState(run).failures.length === count.value,
      },
    },
  })

  test('with commands that have blocks, tests, and another message', async () => {
    const language = createLanguage([...standardExtensions, suite])
    const source = `require ["vnd.test.suite", "fileinto"];
      test "one" { test_set "message" text:
Subject: other

body
.
;
        if not header "subject" "other" { discard; } }
      test "two" { keep; if true { test_fail "why"; } discard; }
      if test_failures 1 { fileinto "done"; }`
    const script = compiled(source, language)
    const { actions, error } = await runScripts([script], environmentOf())
    assert.equal(error, null)
    assert.deepEqual(reports, ['one passed', 'two failed'])
    assert.deepEqual(
      actions.map(({ kind }) => kind),
      ['keep', 'fileinto'],
    )
  })
})

test('a test inside a body that is far too long looks at its start only', async () => {
  await assertTest('body :raw :contains "end"', false, { mail: `X: y\n\n${'x'.repeat(1_100_000)}end` })
})

function nestedMail(levels: number): string {
  return levels === 0 ? 'X: y\n\nz' : `Content-Type: message/rfc822\n\n${nestedMail(levels - 1)}`
}
