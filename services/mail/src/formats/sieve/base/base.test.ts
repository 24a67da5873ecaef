// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of Sieve are written so.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { actionsOf, assertTest, problemOf, runAll } from '../testing/run.ts'

const kinds = async (source: string): Promise<string[]> => (await actionsOf(source)).map(({ kind }) => kind)

describe('control (RFC 5228 §3)', () => {
  test('of if, elsif and else the first that is true runs alone', async () => {
    assert.deepEqual(
      await kinds('if false { discard; } elsif true { fileinto "a"; } elsif true { discard; } else { discard; }'),
      ['fileinto'],
    )
    assert.deepEqual(await kinds('if false { discard; } elsif false { discard; } else { fileinto "a"; }'), ['fileinto'])
    assert.deepEqual(await kinds('if true { if false { discard; } } else { discard; }'), ['keep'])
  })
  test('stop ends the script from inside a block', async () => {
    assert.deepEqual(await kinds('if true { stop; } discard;'), ['keep'])
  })
  test('else needs an if right before it', () => {
    assert.match(problemOf('keep; else { stop; }'), /line 1, column 7: "else" must follow/)
    assert.match(problemOf('if true { stop; } keep; elsif true { stop; }'), /"elsif" must follow/)
  })
  test('require stands first and names extensions that there are', () => {
    assert.match(problemOf('keep; require "fileinto";'), /line 1, column 7: "require" must come before/)
    assert.match(
      problemOf('require ["fileinto", "nonsense", "other"];'),
      /"nonsense", "other" aren't available extensions/,
    )
    assert.match(problemOf('if true { require "copy"; }'), /must come before/)
    assert.match(problemOf('fileinto "a";'), /unknown command "fileinto"; add require "fileinto"/)
    assert.match(problemOf('if hasflag "a" { stop; }'), /unknown test "hasflag"; add require "imap4flags"/)
    assert.match(problemOf('require "fileinto"; fileinto :copy "a";'), /no argument ":copy"; add require "copy"/)
  })
})

describe('actions (RFC 5228 §2.10, §4)', () => {
  test('a script that does nothing keeps', async () => {
    const [action] = await actionsOf('')
    assert.deepEqual(action, { kind: 'keep', implicit: true, flags: null, edits: { headers: null, body: [] } })
  })
  test('fileinto, redirect and discard cancel the implicit keep', async () => {
    for (const action of ['fileinto "a"', 'redirect "a@example.com"', 'discard'])
      assert.deepEqual(await kinds(`${action};`), [action.split(' ')[0]])
    assert.deepEqual(await kinds('discard; keep;'), ['discard', 'keep'])
  })
  test('the same action twice is done once', async () => {
    assert.deepEqual(await kinds('fileinto "a"; fileinto "a"; fileinto "b"; keep; fileinto "inbox"; keep;'), [
      'fileinto',
      'fileinto',
      'keep',
    ])
    assert.deepEqual(await kinds('redirect "a@b.example"; redirect "a@b.example";'), ['redirect'])
  })
  test('redirect needs one address', () => {
    for (const address of [
      '',
      'nobody',
      'a@',
      '@b.example',
      'a@b.example, c@d.example',
      'a@b.example\r\nBcc: c@d.example',
    ])
      assert.match(
        problemOf(`redirect ${JSON.stringify(address).replace('\\r\\n', '\r\n')};`),
        /isn't an address/,
        address,
      )
  })
  test('redirect takes the address out of a name', async () => {
    const [action] = await actionsOf('redirect "Tim <tim@example.com>";')
    assert.ok(action?.kind === 'redirect' && action.address === 'tim@example.com')
  })
  test('more than 32 actions or 4 redirects are a runtime error, which keeps', async () => {
    const filings = Array.from({ length: 33 }, (_, index) => `fileinto "f${index}";`).join('\n')
    const redirects = Array.from({ length: 5 }, (_, index) => `redirect "a${index}@example.com";`).join('\n')
    for (const [source, reason, line] of [
      [filings, /more than 32 actions/, 34],
      [redirects, /more than 4 redirects/, 6],
    ] as const) {
      const { actions, error } = await runAll(source)
      assert.match(error?.message ?? '', reason)
      assert.equal(error?.line, line)
      assert.deepEqual(
        actions.map(({ kind }) => kind),
        ['keep'],
      )
    }
  })
})

describe('tests (RFC 5228 §5)', () => {
  test('allof, anyof and not', async () => {
    await assertTest('allof (true, not false)')
    await assertTest('allof (true, false)', false)
    await assertTest('anyof (false, true)')
    await assertTest('anyof (false, false)', false)
  })
  test('header compares decoded values without regard to case', async () => {
    await assertTest('header :is "subject" "hello world"')
    await assertTest('header :is "subject" "hello"', false)
    await assertTest('header :contains ["x", "Subject"] ["nothing", "WORLD"]')
    await assertTest('header :comparator "i;octet" :contains "subject" "WORLD"', false)
    await assertTest('header :is "subject" "Grüße"', true, { mail: 'Subject: =?utf-8?Q?Gr=C3=BC=C3=9Fe?=\n\n' })
    await assertTest('header "missing" ""', false)
  })
  test('a name that no field can have is never found (RFC 5228 §2.4.2.2)', async () => {
    await assertTest('header :contains ["subject:", "no field"] ""', false)
    await assertTest('exists "subject:"', false)
  })
  test('an empty field has one empty address', async () => {
    await assertTest('address :all :is "resent-to" ""', true, { mail: 'Resent-To:\n\n' })
    await assertTest('address :localpart :is "resent-to" ""', false, { mail: 'Resent-To:\n\n' })
  })
  test('matches knows * and ? and \\', async () => {
    await assertTest('header :matches "subject" "h*o w?rld"')
    await assertTest('header :matches "subject" "hello"', false)
    await assertTest('header :matches "subject" "*"')
    await assertTest('header :matches "subject" "a\\\\*?", true'.replace(', true', ''), true, {
      mail: 'Subject: a*b\n\n',
    })
    await assertTest('header :matches "subject" "a\\\\*?"', false, { mail: 'Subject: axb\n\n' })
    await assertTest('header :matches "subject" "??"', true, { mail: 'Subject: 😀b\n\n' })
  })
  test('address looks at the addresses only', async () => {
    await assertTest('address :is "from" "ann+work@example.org"')
    await assertTest('address :domain :is "from" "example.org"')
    await assertTest('address :localpart :is "from" "ann+work"')
    await assertTest('address :is "to" "dave@example.net"')
    await assertTest('address :contains "from" "sender"', false)
    await assertTest('address :domain "from" "example.org"', true, { mail: 'From: "a@b" (c@d) <x.y@example.org>\n\n' })
    assert.match(problemOf('if address "subject" "a" { stop; }'), /doesn't contain addresses/)
  })
  test('exists needs all of the fields', async () => {
    await assertTest('exists ["from", "SUBJECT"]')
    await assertTest('exists ["from", "missing"]', false)
  })
  test('size is over or under, and neither at the size itself', async () => {
    const mail = `Subject: a\n\n${'x'.repeat(1024 - 14)}`
    await assertTest('size :over 1023', true, { mail })
    await assertTest('size :over 1K', false, { mail })
    await assertTest('size :under 1K', false, { mail })
    await assertTest('size :under 1025', true, { mail })
    assert.match(problemOf('if size 100 { stop; }'), /doesn't take this argument|":over"/)
  })
})

describe('several scripts', () => {
  test('share one result, and an implicit keep that was cancelled stays cancelled', async () => {
    const { actions } = await runAll(['fileinto "a";', 'addflag "\\\\Seen";', 'fileinto :copy "b";'])
    assert.deepEqual(
      actions.map((action) => action.kind === 'fileinto' && action.mailbox),
      ['a', 'b'],
    )
  })
  test('stop ends the chain', async () => {
    const { actions } = await runAll(['stop;', 'discard;'])
    assert.deepEqual(
      actions.map(({ kind }) => kind),
      ['keep'],
    )
  })
  test('a runtime error undoes its own script, keeps and stops', async () => {
    const { actions, error } = await runAll(['fileinto "a";', 'fileinto "b";\nredirect "${x}";', 'fileinto "c";'])
    assert.deepEqual(
      actions.map((action) => (action.kind === 'fileinto' ? action.mailbox : action.kind)),
      ['a', 'keep'],
    )
    assert.equal(error?.script, 1)
    assert.equal(error?.line, 3)
    assert.match(error?.message ?? '', /isn't an address/)
  })
})
