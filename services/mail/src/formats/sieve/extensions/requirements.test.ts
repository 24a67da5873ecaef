// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of Sieve are written so.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { actionsOf, assertTest, problemOf, runAll, withAll } from '../testing/run.ts'

describe('imap4flags: filing twice into one folder (RFC 5232 §5)', () => {
  const flags = async (source: string) =>
    (await actionsOf(source)).map((action) => ('flags' in action ? action.flags : null))
  test('the last :flags wins', async () => {
    assert.deepEqual(await flags('fileinto :flags "a" "m"; fileinto :flags ["b", "c"] "m";'), [['b', 'c']])
    assert.deepEqual(await flags('keep :flags "a"; keep :flags "b";'), [['b']])
    assert.deepEqual(await flags('fileinto :flags "a" "INBOX"; keep :flags "b";'), [['b']])
    assert.deepEqual(await flags('setflag "a"; keep; setflag "b"; keep;'), [['b']])
  })
  test('an action without flags leaves them, and an empty list removes them', async () => {
    assert.deepEqual(await flags('fileinto :flags "a" "m"; fileinto "m";'), [['a']])
    assert.deepEqual(await flags('fileinto :flags "a" "m"; fileinto :flags "" "m";'), [[]])
  })
})

describe('ihave: extensions that change how strings are read (RFC 5463 §4)', () => {
  for (const name of ['variables', 'encoded-character'])
    test(`${name} is false, alone and with others`, () => {
      assert.equal(problemOf(`require "ihave"; if ihave "${name}" { nonsense; }`), '')
      assert.equal(problemOf(`require "ihave"; if ihave ["fileinto", "${name}"] { nonsense; }`), '')
    })
  test('the strings of the script stay as they are', async () => {
    await assertTest('ihave "variables"', false)
    assert.equal(problemOf('require "ihave"; if not ihave "variables" { redirect "${x}@example.com"; }'), '')
  })
})

describe('what is not known is false, also where it is counted', () => {
  test('environment (RFC 5183 §4)', async () => {
    await assertTest('environment :count "eq" :comparator "i;ascii-numeric" "moon" "0"', false)
    await assertTest('environment :count "eq" :comparator "i;ascii-numeric" "name" "1"')
  })
  test('metadata and servermetadata (RFC 5490 §3, §4)', async () => {
    await assertTest('metadata :count "eq" :comparator "i;ascii-numeric" "INBOX" "/private/x" "0"', false)
    await assertTest('servermetadata :count "eq" :comparator "i;ascii-numeric" "/private/x" "0"', false)
  })
  test('notify_method_capability (RFC 5435 §5)', async () => {
    const of = (name: string) => `notify_method_capability :count "eq" "mailto:a@b.example" "${name}" "0"`
    await assertTest(of('moon'), false)
    await assertTest('notify_method_capability "mailto:a@b.example" "ONLINE" "maybe"')
  })
})

describe('global after set is an error (RFC 6609 §3.4.1)', () => {
  test('when the script is compiled, whatever the case of the name', () => {
    for (const source of ['set "a" "1"; global "A";', 'if true { set "b" "1"; } global ["a", "b"];'])
      assert.match(problemOf(withAll(source)), /is set before "global"/)
    assert.equal(problemOf(withAll('global "a"; set "a" "1"; global "a"; set "b" "2";')), '')
    assert.match(problemOf(withAll('global "a.b";')), /can't be the name of a global variable/)
  })
  test('when it runs, where something else gave the variable a value', async () => {
    const { error } = await runAll('setflag "v" "a"; global "v";')
    assert.match(error?.message ?? '', /is set before "global"/)
  })
})

describe('body of a message that is a header alone (RFC 5173 §4)', () => {
  test('is false whatever is asked of it', async () => {
    const mail = 'Subject: a'
    for (const what of [':raw :contains ""', ':text :contains ""', ':content "" :contains ""', ':raw :is ""'])
      await assertTest(`body ${what}`, false, { mail })
    await assertTest('body :raw :count "eq" :comparator "i;ascii-numeric" "0"', false, { mail })
  })
  test('is the empty text when a blank line follows', async () => {
    await assertTest('body :raw :is ""', true, { mail: 'Subject: a\n\n' })
    await assertTest('body :raw :contains ""', true, { mail: 'Subject: a\n\n' })
  })
})

describe('body of a message with parts (RFC 5173 §5.2, §5.3)', () => {
  const mail = `Content-Type: multipart/mixed; boundary=b

before
--b
Content-Type: application/xhtml+xml

<p>Hello</p>
--b
Content-Type: message/rfc822

From: ann
Subject: hello
 again

Please
--b--
after
`
  test('the prologue and the epilogue are two strings', async () => {
    await assertTest('body :content "multipart" :matches "*before*after*"', false, { mail })
    for (const key of ['before', 'after'])
      await assertTest(`body :content "multipart" :contains "${key}"`, true, { mail })
  })
  test('an enclosed message is its header, its parts are looked into by themselves', async () => {
    await assertTest('body :content "message/rfc822" :is "From: ann\r\nSubject: hello\r\n again\r\n"', true, { mail })
    await assertTest('body :content "text" :count "eq" :comparator "i;ascii-numeric" "1"', true, { mail })
  })
  test('text is read out of XHTML, too', async () => {
    await assertTest('body :text :contains "hello"', true, { mail })
    await assertTest('body :text :contains "<p>"', false, { mail })
  })
})

test('size is that of the message with its header as edited (RFC 5293 §6)', async () => {
  const mail = 'From: stephan@example.com\nTo: timo@example.com\nSubject: Frop!\n\nFrop!\n\n'
  const add = 'addheader "X-Some-Header" "Header content";'
  await assertTest('size :over 76', false, { mail })
  await assertTest('anyof (size :over 107, size :under 107)', false, { mail }, add)
  await assertTest('size :over 76', false, { mail }, `${add} deleteheader "x-some-header";`)
  await assertTest('size :under 70', true, { mail }, 'deleteheader "subject";')
})

describe('notify (RFC 5435 §3.2, RFC 5436 §2, RFC 6068)', () => {
  test('URIs are checked when the script is compiled', () => {
    for (const uri of [
      'mailto:ann@example.org;?header=frop',
      'mailto:ann@example.org?header<=frop',
      'mailto:ann@example.org?header=fr>op',
      'mailto:ann@example.org?header:=frop',
      'mailto:ann%23example.org',
      'mailto:ann@example.org?to=bob%23example.org',
      'mailto:ann@example.org?cc=bob',
      'mailto:ann@example.org?subject=a%0D%0ABcc:x@example.org',
      'mailto:ann@example.org?subject=%FF',
      'mailto:ann@example.org?subject',
      'mailto:ann@example.org%00',
      'mailto:',
      'mailto:?subject=a',
      'snailto:ann@example.org',
      'tel:+1',
      'nonsense',
    ])
      assert.notEqual(problemOf(`require "enotify"; notify "${uri}";`), '', uri)
  })
  test('a script that asks for other methods may have them, and fails only where it uses them', async () => {
    await actionsOf('if valid_notify_method "tel:+1" { notify "tel:+1"; }')
    assert.match(
      (await runAll('if not valid_notify_method "tel:+1" { notify "tel:+1"; }')).error?.message ?? '',
      /isn't a supported notification method/,
    )
  })
  test('recipients may stand in the path or in fields, a comma may be encoded', () => {
    for (const uri of [
      'mailto:?to=ann@example.org',
      'MAILTO:ann@example.org',
      'mailto:ann@example.org%2cbob@example.org?cc=carol@example.org&subject=New%20mail',
      'mailto:%22a%2Cb%22@example.org',
      'mailto:ann@example.org?body=one%0D%0Atwo',
      'mailto:ann@example.org?subject=a/b?c',
    ])
      assert.equal(problemOf(`require "enotify"; notify "${uri}";`), '', uri)
  })
  test('options have a name and a value on one line', () => {
    for (const option of ['', 'frop', '_frop=', '=frop', 'frop=a\r\nb'])
      assert.match(problemOf(`require "enotify"; notify :options "${option}" "mailto:a@b.example";`), /isn't an option/)
    assert.equal(problemOf('require "enotify"; notify :options ["a.b-c_d=", "x=y=z"] "mailto:a@b.example";'), '')
  })
})

describe('envelope (RFC 5228 §5.4, RFC 5321 §4.1.2)', () => {
  const domainOf = (to: string, expected: boolean) =>
    assertTest('envelope :domain :is "to" "example.org"', expected, { envelope: { from: '', to } })
  test('a route before the address counts for nothing', async () => {
    for (const path of [
      '<@a.example:x@example.org>',
      '@a.example,@b.example:x@example.org',
      ' < @ a . b : x @ example . org > ',
    ])
      await domainOf(path, true)
  })
  test('what is no path has no parts, and is as it was written', async () => {
    for (const path of ['<a.example:x@example.org>', '<@a..b:x@example.org>', '<<x@example.org>', '<x@example.org'])
      await domainOf(path, false)
    await assertTest('envelope "to" "<@a.example,x@example.org>"', true, {
      envelope: { from: '', to: '<@a.example,x@example.org>' },
    })
    await assertTest('envelope "to" "MAILER-DAEMON"', true, { envelope: { from: '', to: '<MAILER-DAEMON >' } })
  })
  test('nobody can be the sender, but not the recipient', async () => {
    await assertTest('envelope :all :is "from" ""', true, { envelope: { from: '<>', to: 'a@b.example' } })
    await assertTest('envelope :all :is "to" ""', false, { envelope: { from: '', to: '<>' } })
  })
})

describe('address (RFC 5228 §5.1)', () => {
  test('can be asked of header fields that have addresses by RFC or by registration', () => {
    for (const name of [
      ...['From', 'To', 'Cc', 'Bcc', 'Sender', 'Reply-To', 'Resent-From', 'Resent-To', 'Resent-Cc', 'Resent-Bcc'],
      ...['Resent-Sender', 'Resent-Reply-To', 'Return-Path', 'Author', 'Delivered-To', 'Original-From', 'Approved'],
      ...['Disposition-Notification-To', 'Mail-Followup-To', 'Mail-Reply-To', 'Errors-To', 'Return-Receipt-To'],
      ...['Downgraded-From', 'Downgraded-Cc', 'Downgraded-Return-Path', 'Original-Sender', 'Apparently-To'],
      ...['MMHS-Exempted-Address', 'MMHS-Authorizing-Users', 'MMHS-Other-Recipients-Indicator-CC', 'X-Original-To'],
      ...['For-Approval', 'Registered-Mail-Reply-Requested-By', 'Envelope-To', 'Abuse-Reports-To'],
    ])
      assert.equal(problemOf(`if address "${name}" "a" { stop; }`), '', name)
  })
  test('cannot be asked of others', () => {
    for (const name of ['Subject', 'Date', 'Message-ID', 'In-Reply-To', 'References', 'Followup-To', 'List-Id', 'frop'])
      assert.match(problemOf(`if address "${name}" "a" { stop; }`), /doesn't contain addresses/, name)
  })
  test('looks at no others when their name is made while the script runs', async () => {
    const before = 'set "name" "Subject"; set "other" "To";'
    const mail = 'Subject: ann@example.org\nTo: bob@example.org\n\n'
    await assertTest('address "${name}" "ann@example.org"', false, { mail }, before)
    await assertTest('address :count "eq" ["${name}", "${other}"] "1"', true, { mail }, before)
  })
  test('a name that no header field can have is not found, and no error (RFC 5228 §2.4.2.2)', async () => {
    for (const name of ['From:', 'from field', '', 'Absender ü'])
      await assertTest(`address :contains ["${name}", "to"] "ann"`, false, { mail: 'From: ann@example.org\n\n' })
  })
})

describe('i;unicode-casemap (RFC 5051)', () => {
  const mail = 'X-A: This is a header with =?utf-8?Q?T=C3=88ST?=\n\n'
  const test1 = (match: string, key: string) => `header ${match} :comparator "i;unicode-casemap" "x-a" "${key}"`
  test('has to be required, and compares letters of all scripts', async () => {
    assert.match(
      problemOf('if header :comparator "i;unicode-casemap" "a" "b" { stop; }'),
      /add require "comparator-i;unicode-casemap"/,
    )
    await assertTest(test1(':contains', 'tèst'), true, { mail })
    await assertTest(test1(':matches', 'this*tèS?'), true, { mail })
    await assertTest(test1(':value "eq"', 'THIS IS A HEADER WITH tèst'), true, { mail })
    await assertTest(test1(':is', 'this is a header with test'), false, { mail })
    await assertTest('header :contains "x-a" "tèst"', false, { mail })
  })
  test('what it takes is counted', async () => {
    const mail = `Subject: ${'é'.repeat(400_000)}\n\n`
    const { error } = await runAll('if header :comparator "i;unicode-casemap" "subject" "x" { stop; }'.repeat(10), {
      mail,
    })
    assert.match(error?.message ?? '', /more operations/)
  })
})
