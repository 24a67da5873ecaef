// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of Sieve are written so.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { actionsOf, assertTest, problemOf, runAll, withAll } from '../testing/run.ts'

const filed = async (source: string, setup = {}): Promise<string[]> =>
  (await actionsOf(source, setup)).map((action) => (action.kind === 'fileinto' ? action.mailbox : action.kind))

describe('duplicate (RFC 7352)', () => {
  const mail = 'Message-ID: <1@x>\nX-Id: 7\n\n'
  test('asks for the id of the message, or what the script says', async () => {
    const asked: string[] = []
    const duplicate = (key: string) => asked.push(key) > 1
    await assertTest('duplicate', false, { mail, duplicate })
    await assertTest('duplicate :handle "h" :header "x-id" :seconds 60 :last', true, { mail, duplicate })
    await assertTest('duplicate :uniqueid "u"', true, { mail, duplicate })
    assert.deepEqual(asked, ['["","<1@x>"]', '["h","7"]', '["","u"]'])
  })
  test('answers the same within one message, and never for a message without the field', async () => {
    const asked: string[] = []
    const duplicate = (key: string) => asked.push(key) > 1
    await assertTest('anyof (duplicate, duplicate)', false, { mail, duplicate })
    await assertTest('duplicate :header "missing"', false, { mail, duplicate: () => true })
    assert.match(problemOf(withAll('if duplicate :header "a" :uniqueid "b" {}')), /can't be combined/)
  })
  const seen = async (source: string | readonly string[], isKnown = false) =>
    (await runAll(source, { mail, duplicate: () => isKnown })).seen.map(({ key, seconds, isProlonged }) => [
      key,
      seconds,
      isProlonged,
    ])
  test('what is new is remembered; what is known only with :last, which counts from the last time', async () => {
    const ask = 'if duplicate :seconds 60 { keep; }'
    assert.deepEqual(await seen(ask), [['["","<1@x>"]', 60, false]])
    assert.deepEqual(await seen(`${ask} ${ask}`), [['["","<1@x>"]', 60, false]])
    assert.deepEqual(await seen(ask, true), [])
    assert.deepEqual(await seen(`${ask} if duplicate :seconds 90 :last { keep; }`, true), [['["","<1@x>"]', 90, true]])
    assert.deepEqual(await seen('if duplicate :seconds 1G { keep; }'), [['["","<1@x>"]', 7_776_000, false]])
  })
  test('nothing is a duplicate of what is remembered for no time', async () => {
    await assertTest('duplicate :seconds 0', false, { mail, duplicate: () => true })
    assert.deepEqual(await seen('if duplicate :seconds 0 { keep; }'), [])
  })
  test('a script that fails has nothing remembered; those before it have', async () => {
    const fails = 'if duplicate :uniqueid "b" { keep; } reject "no"; keep;'
    assert.deepEqual(await seen(fails), [])
    assert.deepEqual(await seen(['if duplicate :uniqueid "a" { keep; }', fails]), [['["","a"]', 604_800, false]])
  })
})

describe('include (RFC 6609)', () => {
  const scripts: Record<string, string> = {
    file: 'require ["fileinto", "include"]; fileinto "a"; return;',
    stop: 'stop;',
    self: 'require "include"; include "self";',
    bad: 'nonsense;',
    global: 'require ["variables", "include"]; global "x"; set "x" "${x}+"; set "y" "own";',
    fails: 'require "variables"; redirect "${nope}";',
  }
  const script = (_location: string, name: string) => scripts[name] ?? null
  test('runs the other script and goes on', async () => {
    assert.deepEqual(await filed('include "file"; fileinto "b"; stop;', { script }), ['a', 'b'])
    assert.deepEqual(await filed('include "stop"; discard;', { script }), ['keep'])
  })
  test('once is once, and optional may be missing', async () => {
    assert.deepEqual(
      await filed(
        'global "x"; include :once "global"; include :once "global"; include :optional "none"; fileinto "${x}${global.x}";',
        { script },
      ),
      ['++'],
    )
  })
  test('variables are shared only when they are global', async () => {
    assert.deepEqual(
      await filed('global "x"; set "x" "1"; include "global"; include "global"; fileinto "${x}${y}";', { script }),
      ['1++'],
    )
  })
  test('what cannot be included is a runtime error', async () => {
    for (const [name, reason] of [
      ['none', /to include doesn't exist/],
      ['self', /includes itself/],
      ['bad', /script "bad": line 1, column 1/],
      ['fails', /in script "fails"/],
    ] as const)
      assert.match((await runAll(`include "${name}";`, { script })).error?.message ?? '', reason)
  })
})

describe('editheader (RFC 5293)', () => {
  test('tests see the new header, and actions take the version of their time', async () => {
    const actions = await actionsOf(
      'fileinto "a"; addheader "X-New" "one\r\nEvil: two"; addheader :last "X-End" "z"; deleteheader "x-count"; fileinto "b";',
    )
    const [first, second] = actions.map((action) => ('edits' in action ? action.edits.headers : null))
    assert.equal(first, null)
    assert.deepEqual(second, [
      { name: 'X-New', value: 'one Evil: two' },
      ...[0, 1, 2, 3, 6].map((original) => ({ original })),
      { name: 'X-End', value: 'z' },
    ])
    await assertTest('header :index 1 "x-new" "1"', true, {}, 'addheader "X-New" "2"; addheader "X-New" "1";')
    await assertTest('exists "subject"', false, {}, 'deleteheader "subject";')
  })
  test('deletes by index and by value', async () => {
    await assertTest('header "x-count" "5"', false, {}, 'deleteheader :index 1 "x-count";')
    await assertTest('header "x-count" "12"', false, {}, 'deleteheader :index 1 :last "x-count";')
    await assertTest('header "x-count" "5"', true, {}, 'deleteheader :contains "x-count" "2";')
    await assertTest('header "x-count" "12"', false, {}, 'deleteheader :contains "x-count" "2";')
  })
  test('never deletes what guards against loops', async () => {
    await assertTest('exists "received"', true, {}, 'deleteheader "Received";')
  })
  test('after an error the message is kept as it arrived', async () => {
    const { actions } = await runAll('addheader "X" "y"; error "no";')
    assert.ok(actions[0]?.kind === 'keep' && actions[0].edits.headers === null)
  })
  test('refuses names that are none', () => {
    assert.match(problemOf(withAll('addheader "X Y" "z";')), /field name "X Y" is invalid/)
    assert.match(problemOf(withAll('addheader "X" "a\u0007";')), /control characters/)
  })
})

describe('environment and ihave (RFC 5183, RFC 5463)', () => {
  test('items that are not known match nothing', async () => {
    const item = (name: string) => (name === 'phase' ? 'during' : null)
    await assertTest('environment "phase" "during"', true, { item })
    await assertTest('environment :contains "moon" ""', false, { item })
  })
  test('what is missing is not looked at', async () => {
    const source =
      'require "ihave"; if ihave "vnd.x" { nonsense 1; } elsif allof (ihave "vnd.y", moon "full") { discard; } elsif ihave ["fileinto"] { fileinto "a"; }'
    assert.equal(problemOf(source), '')
    assert.deepEqual(await filed('if not ihave "vnd.x" { fileinto "a"; }'), ['a'])
  })
  test('error ends the script with its own words', async () => {
    assert.match((await runAll('error "my words";')).error?.message ?? '', /my words/)
  })
})

describe('mailboxes (RFC 5490, RFC 8579, RFC 9042)', () => {
  test('special use and id are preferences of filing', async () => {
    const [action] = await actionsOf('fileinto :specialuse "\\\\Junk" :mailboxid "F1" :create "Spam";')
    assert.ok(action?.kind === 'fileinto')
    assert.deepEqual([action.specialUse, action.mailboxId, action.create], ['\\Junk', 'F1', true])
    assert.match(problemOf(withAll('fileinto :specialuse "Junk" "a";')), /backslash/)
  })
  test('lookups', async () => {
    const mailboxes = {
      idExists: (id: string) => id === 'F1',
      specialUseExists: (mailbox: string | null, uses: readonly string[]) =>
        mailbox === null && uses.includes('\\Junk'),
      metadata: async (mailbox: string | null, name: string) =>
        name === '/private/comment' ? `${mailbox} note` : null,
    }
    await assertTest('mailboxidexists "F1"', true, { mailboxes })
    await assertTest('mailboxidexists ["F1", "F2"]', false, { mailboxes })
    await assertTest('specialuse_exists "\\\\Junk"', true, { mailboxes })
    await assertTest('specialuse_exists "INBOX" "\\\\Junk"', false, { mailboxes })
    await assertTest('metadata "INBOX" "/private/comment" "inbox note"', true, { mailboxes })
    await assertTest('metadataexists "INBOX" ["/private/comment", "/x"]', false, { mailboxes })
    await assertTest('servermetadata :contains "/private/comment" "note"', true, { mailboxes })
    await assertTest('servermetadataexists "/x"', false, { mailboxes })
  })
})

describe('spamtest and virustest (RFC 5235)', () => {
  test('scores go from 1 to 10 and from 1 to 5; 0 was not tested', async () => {
    const value = (test: string, setup: object, expected = true) => assertTest(test, expected, setup)
    await value('spamtest :value "eq" :comparator "i;ascii-numeric" "0"', {})
    await value('spamtest :count "eq" "0"', {})
    await value('spamtest "1"', { spamPercent: 0 })
    await value('spamtest "10"', { spamPercent: 100 })
    await value('spamtest :percent :value "ge" :comparator "i;ascii-numeric" "37"', { spamPercent: 37 })
    await value('virustest "0"', {})
    await value('virustest :value "ge" "4"', { virusLevel: 5 })
    assert.match(problemOf('require "spamtest"; if spamtest :percent "1" {}'), /add require "spamtestplus"/)
  })
})

describe('enotify and fcc (RFC 5435, RFC 5436, RFC 8580)', () => {
  test('notify is an action that keeps', async () => {
    const [notify, keep] = await actionsOf(
      'notify :importance "1" :message "New" :from "bob@example.com" :fcc "Sent" :flags "\\\\Seen" "mailto:x@example.com?subject=a";',
    )
    assert.deepEqual(notify, {
      kind: 'notify',
      method: 'mailto:x@example.com?subject=a',
      message: 'New',
      from: 'bob@example.com',
      importance: 1,
      options: [],
      fcc: { mailbox: 'Sent', flags: ['\\Seen'], create: false, specialUse: null, mailboxId: null },
    })
    assert.equal(keep?.kind, 'keep')
  })
  test('a method that cannot be used is refused', async () => {
    assert.match(problemOf(withAll('notify "nonsense";')), /isn't a URI/)
    assert.match(problemOf(withAll('notify "tel:1";')), /isn't a supported notification method/)
    await assertTest('valid_notify_method ["mailto:a@b.example"]')
    await assertTest('valid_notify_method ["mailto:a@b.example", "mailto:a@b.example%0d%0aBcc:c@d.example"]', false)
    await assertTest('notify_method_capability "mailto:a@b.example" "online" "maybe"')
    await assertTest('string "${v}" "%20%C3%BC~"', true, {}, 'set :encodeurl "v" " ü~";')
  })
  test('filing tags of a reply need the copy', async () => {
    assert.match(problemOf(withAll('vacation :create "a";')), /":create" requires ":fcc"/)
    const [action] = await actionsOf('vacation :fcc "Sent" :create "a";')
    assert.ok(action?.kind === 'vacation' && action.fcc?.create)
  })
})
