import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { xmlElements } from '@stoa/kit/xml.ts'
import { element, elementWith, escapeXml, xmlDocument } from '@stoa/kit/xml-write.ts'
import { type MailAnswer, type MailService, startMail } from '@stoa/tests/lib/mail.ts'
import fc from 'fast-check'
import { plantAccount, plantAddress, plantDomain } from '../../hosting/addresses/testing/hosting.ts'

let mail: MailService
before(async () => {
  mail = await startMail({ env: { MAIL_PUBLIC_URL: 'https://mail.stoa.test', PUBLIC_IMAPS_PORT: '993' } })
  const { accountId } = await plantAddress(mail.database, 'ada@setup.test')
  await plantDomain(mail.database, { accountId, name: 'xn--mnchen-3ya.test' })
  const stranger = await plantAccount(mail.database)
  await plantDomain(mail.database, { accountId: stranger.id, name: 'claimed.org', isVerified: false })
})
after(() => mail.close())

/** Elements as `path: text`, without those that only hold others. */
const read = (xml: string): string[] =>
  [...xmlElements(xml.replace(/^<!DOCTYPE[^>]*>$/m, ''))].flatMap(({ path, text }) => {
    return text === '' ? [] : [`${path.split('/').slice(-2).join('/')}: ${text}`]
  })
const get = (path: string, headers: Record<string, string> = {}): Promise<MailAnswer> =>
  mail.client().get(path, { headers })
/** Other doors than the usual ones. */
const withEnv = async (env: Record<string, string>, act: (other: MailService) => Promise<void>): Promise<void> => {
  const other = await startMail({ databaseUrl: mail.databaseUrl, env })
  try {
    await act(other)
  } finally {
    await other.close()
  }
}
const ALL_CLOSED = Object.fromEntries(
  ['SUBMISSION', 'SUBMISSIONS', 'IMAP', 'IMAPS', 'POP3', 'POP3S'].map((name) => [`${name}_PORT`, '0']),
)
const NASTY = ['<x>', '"><script>alert(1)</script>@setup.test', 'a@b@c', '', 'x'.repeat(300), '\0@setup.test', '%00']

describe('autoconfig', () => {
  for (const path of ['/mail/config-v1.1.xml', '/.well-known/autoconfig/mail/config-v1.1.xml'])
    test(`at ${path} lists the servers as clients reach them, to anybody`, async () => {
      const answer = await get(`${path}?emailaddress=Ada%40Setup.test`)
      assert.equal(answer.status, 200)
      assert.equal(answer.headers.get('content-type'), 'text/xml; charset=utf-8')
      const server = (type: string, port: number, socketType: string) => [
        `${type}Server/hostname: mx.stoa.test`,
        `${type}Server/port: ${port}`,
        `${type}Server/socketType: ${socketType}`,
        `${type}Server/authentication: password-cleartext`,
        `${type}Server/username: %EMAILADDRESS%`,
      ]
      assert.deepEqual(read(answer.text), [
        'emailProvider/domain: setup.test',
        'emailProvider/displayName: setup.test mail',
        'emailProvider/displayShortName: setup.test',
        'incomingServer/url: https://mail.stoa.test/.well-known/jmap',
        'incomingServer/authentication: Basic',
        'incomingServer/username: %EMAILADDRESS%',
        ...server('incoming', 993, 'SSL'),
        ...server('incoming', 2143, 'STARTTLS'),
        ...server('incoming', 2995, 'SSL'),
        ...server('incoming', 2110, 'STARTTLS'),
        ...server('outgoing', 2465, 'SSL'),
        ...server('outgoing', 2587, 'STARTTLS'),
      ])
      const types = [...answer.text.matchAll(/Server type="(\w+)"/g)].map(([, type]) => type)
      assert.deepEqual(types, ['jmap', 'imap', 'imap', 'pop3', 'pop3', 'smtp', 'smtp'])
      assert.match(answer.text, /<clientConfig version="1\.1"><emailProvider id="setup\.test">/)
      assert.match(answer.text, /<loginPage url="https:\/\/mail\.stoa\.test\/webmail\/"\/>/)
    })

  test('is the same for addresses that exist and those that do not', async () => {
    const [known, unknown] = await Promise.all(
      ['ada', 'nobody'].map((name) => get(`/mail/config-v1.1.xml?emailaddress=${name}@setup.test`)),
    )
    assert.equal(known?.text, unknown?.text)
  })

  test('of other domains is 404, also of those that somebody only claims', async () => {
    for (const email of ['a@example.org', 'a@claimed.org', 'a@sub.setup.test']) {
      const { status, body } = await get(`/mail/config-v1.1.xml?emailaddress=${email}`)
      assert.deepEqual([status, body.name], [404, 'not_found'], email)
    }
  })

  test('of what is no address is 400, and never repeats it', async () => {
    for (const text of NASTY) {
      const { status, text: body } = await get(`/mail/config-v1.1.xml?emailaddress=${encodeURIComponent(text)}`)
      assert.equal(status, 400, text)
      assert.doesNotMatch(body, /script|<x>|xxx/)
    }
    assert.equal((await get('/mail/config-v1.1.xml?emailaddress=a@setup.test&emailaddress=b@setup.test')).status, 400)
  })

  test('without an address is of the name that the server was called by, or its own', async () => {
    assert.match((await get('/mail/config-v1.1.xml')).text, /<domain>mx\.stoa\.test<\/domain>/)
    const called = async (host: string): Promise<string> => {
      const sent = httpRequest(`${mail.url}/mail/config-v1.1.xml`, { headers: { host } }).end()
      const [answer]: IncomingMessage[] = await once(sent, 'response')
      return answer ? text(answer) : ''
    }
    assert.match(await called('autoconfig.setup.test'), /<domain>setup\.test<\/domain>/)
    assert.match(await called('AUTOCONFIG.Setup.test:8080'), /<domain>setup\.test<\/domain>/)
    for (const host of ['autoconfig.example.org', 'autoconfig."><x>', 'setup.test'])
      assert.match(await called(host), /<domain>mx\.stoa\.test<\/domain>/, host)
  })

  test('takes names in other alphabets', async () => {
    const { text } = await get(`/mail/config-v1.1.xml?emailaddress=${encodeURIComponent('a@münchen.test')}`)
    assert.match(text, /<domain>xn--mnchen-3ya\.test<\/domain>/)
  })

  test('lists enabled protocols only, and JMAP only over TLS', () =>
    withEnv({ ...ALL_CLOSED, PUBLIC_POP3S_PORT: '995', MAIL_PUBLIC_URL: 'http://mail.stoa.test' }, async (other) => {
      const { text } = await other.client().get('/mail/config-v1.1.xml?emailaddress=a@setup.test')
      assert.deepEqual(
        [...text.matchAll(/Server type="(\w+)"/g)].map(([, type]) => type),
        ['pop3'],
      )
    }))
})

const OUTLOOK = 'http://schemas.microsoft.com/exchange/autodiscover/outlook'
const request = (email: string, schema = `${OUTLOOK}/responseschema/2006a`): string =>
  `<?xml version="1.0" encoding="utf-8"?><Autodiscover xmlns="${OUTLOOK}/requestschema/2006"><Request>` +
  `<EMailAddress>${email}</EMailAddress><AcceptableResponseSchema>${schema}</AcceptableResponseSchema>` +
  '</Request></Autodiscover>'
const discover = (body: string, path = '/autodiscover/autodiscover.xml'): Promise<MailAnswer> =>
  mail.client().post(path, body, { 'content-type': 'text/xml; charset=utf-8' })
const codeOf = ({ status, text }: MailAnswer): string | undefined =>
  status === 200 ? /<ErrorCode>(\d+)<\/ErrorCode>/.exec(text)?.[1] : `status ${status}`

describe('autodiscover', () => {
  test('lists the best server of each kind', async () => {
    const answer = await discover(request('Ada@setup.test'))
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('content-type'), 'text/xml; charset=utf-8')
    const server = (type: string, port: number, more: string[] = []) =>
      [`Type: ${type}`, 'Server: mx.stoa.test', `Port: ${port}`, 'DomainRequired: off', 'LoginName: ada@setup.test']
        .concat(['SPA: off', 'SSL: on', 'Encryption: SSL', 'AuthRequired: on'], more)
        .map((line) => `Protocol/${line}`)
    assert.deepEqual(read(answer.text), [
      'User/DisplayName: ada@setup.test',
      'User/AutoDiscoverSMTPAddress: ada@setup.test',
      'Account/AccountType: email',
      'Account/Action: settings',
      ...server('IMAP', 993),
      ...server('POP3', 2995),
      ...server('SMTP', 2465, ['UsePOPAuth: on', 'SMTPLast: off']),
    ])
    assert.match(answer.text, /^<\?xml [^>]*\?>\n<Autodiscover xmlns="[^"]*\/autodiscover\/responseschema\/2006">/)
    assert.match(answer.text, /<Response xmlns="[^"]*\/outlook\/responseschema\/2006a">/)
  })

  test('is found in any letter case, and answers GET with an error that programs understand', async () => {
    const body = request('ada@setup.test')
    for (const path of [
      '/Autodiscover/Autodiscover.xml',
      '/AutoDiscover/AutoDiscover.XML',
      '/AUTODISCOVER/autodiscover.xml',
    ]) {
      assert.match((await discover(body, path)).text, /<Action>settings<\/Action>/, path)
      assert.equal(codeOf(await get(path)), '600', path)
    }
    for (const path of [
      '/autodiscover/autodiscoverxml',
      '/autodiscover/autodiscover.xml/',
      '/autodiscover/x',
      '/autodiscover',
    ])
      assert.equal((await get(path)).status, 404, path)
    const wrongVerb = await mail.client().send('DELETE', '/Autodiscover/Autodiscover.xml')
    assert.deepEqual([wrongVerb.status, wrongVerb.headers.get('allow')], [405, 'GET, HEAD, POST'])
  })

  test('lists STARTTLS where there is nothing else', () =>
    withEnv({ IMAPS_PORT: '0', POP3S_PORT: '0', POP3_PORT: '0', SUBMISSIONS_PORT: '0' }, async (other) => {
      const headers = { 'content-type': 'text/xml' }
      const answer = await other.client().post('/autodiscover/autodiscover.xml', request('a@setup.test'), headers)
      const lines = read(answer.text).filter((line) => /^Protocol\/(Type|Port|Encryption)/.test(line))
      assert.deepEqual(
        lines.map((line) => line.slice(9)),
        ['Type: IMAP', 'Port: 2143', 'Encryption: TLS', 'Type: SMTP', 'Port: 2587', 'Encryption: TLS'],
      )
    }))

  test('refuses other schemas, foreign domains, and what is no request', async () => {
    const mobile = 'http://schemas.microsoft.com/exchange/autodiscover/mobilesync/responseschema/2006'
    assert.equal(codeOf(await discover(request('ada@setup.test', mobile))), '601')
    for (const email of ['a@example.org', 'a@claimed.org']) assert.equal(codeOf(await discover(request(email))), '500')
    const cut = request('ada@setup.test').slice(0, 200)
    const wrong = ['', 'garbage', '{}', '<a>', cut, '<Autodiscover/>', request(''), request('no address')]
    for (const body of wrong) assert.equal(codeOf(await discover(body)), '600', body)
  })

  test('reads no document types and no entities', async () => {
    const entity = `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>${request('&e;@setup.test')}`
    const laughs = `<!DOCTYPE x [<!ENTITY a "${'x'.repeat(100)}">]>${request('&a;@setup.test')}`
    for (const body of [entity, laughs, request('&e;@setup.test')]) {
      const answer = await discover(body)
      assert.equal(codeOf(answer), '600')
      assert.doesNotMatch(answer.text, /root:|xxx/)
    }
  })

  test('takes no more than it needs', async () => {
    assert.equal((await discover(request('ada@setup.test') + ' '.repeat(70_000))).status, 413)
    assert.equal(codeOf(await discover('<a>'.repeat(20_000))), '600')
  })

  test('has a version 2 that says where it is', async () => {
    const expected = { Protocol: 'AutodiscoverV1', Url: 'https://mail.stoa.test/autodiscover/autodiscover.xml' }
    for (const path of [
      '/autodiscover/autodiscover.json?Email=ada@setup.test&Protocol=AutodiscoverV1',
      '/Autodiscover/Autodiscover.json?email=ada@setup.test&protocol=autodiscoverv1&RedirectCount=1',
      '/autodiscover/autodiscover.json/v1.0/ada@setup.test?Protocol=AutodiscoverV1',
    ]) {
      const { status, body } = await get(path)
      assert.deepEqual([status, body], [200, expected], path)
    }
    const refused: [string, number][] = [
      ['Email=ada@setup.test&Protocol=ActiveSync', 400],
      ['Email=ada@setup.test', 400],
      ['Protocol=AutodiscoverV1', 400],
      ['Email=<x>&Protocol=AutodiscoverV1', 400],
      ['Email=a@example.org&Protocol=AutodiscoverV1', 404],
    ]
    for (const [query, status] of refused)
      assert.equal((await get(`/autodiscover/autodiscover.json?${query}`)).status, status, query)
  })

  test('answers any body with a document that says no more than it should', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.constantFrom(
            ...['<Autodiscover>', '<Request>', '<EMailAddress>', '</EMailAddress>', '</Request>', '</Autodiscover>'],
            ...[
              'ada@setup.test',
              '<![CDATA[',
              ']]>',
              '<!--',
              '-->',
              '&lt;',
              '&#0;',
              '&#x110000;',
              '\0',
              '<?x?>',
              '"',
              "'",
            ],
          ),
          { maxLength: 12 },
        ),
        async (parts) => {
          const answer = await discover(parts.join(''))
          assert.equal(answer.status, 200)
          assert.ok(read(answer.text).length > 0)
        },
      ),
      { seed: 5, numRuns: 150 },
    ))
})

describe('a profile for Apple', () => {
  const membersOf = (xml: string): Map<string, string> => {
    const names: string[] = []
    const found = new Map<string, string>()
    for (const { path, text } of xmlElements(xml.replace(/^<!DOCTYPE[^>]*>$/m, ''))) {
      const [kind = ''] = path.split('/').slice(-1)
      if (kind === 'key') names.push(text)
      else if (kind !== 'dict' && kind !== 'array' && kind !== 'plist')
        found.set(names.at(-1) ?? '', text === '' ? kind : text)
    }
    return found
  }

  test('sets up IMAP and sending, and has no password', async () => {
    const answer = await get('/mail/mobileconfig?email=Ada@setup.test')
    assert.equal(answer.status, 200)
    assert.match(answer.headers.get('content-type') ?? '', /^application\/x-apple-aspen-config/)
    assert.equal(answer.headers.get('content-disposition'), 'attachment; filename="setup.test.mobileconfig"')
    const members = membersOf(answer.text)
    const expected = {
      EmailAccountType: 'EmailTypeIMAP',
      EmailAddress: 'ada@setup.test',
      IncomingMailServerHostName: 'mx.stoa.test',
      IncomingMailServerPortNumber: '993',
      IncomingMailServerUseSSL: 'true',
      IncomingMailServerUsername: 'ada@setup.test',
      IncomingMailServerAuthentication: 'EmailAuthPassword',
      OutgoingMailServerPortNumber: '2465',
      OutgoingMailServerUsername: 'ada@setup.test',
      OutgoingPasswordSameAsIncomingPassword: 'true',
      PreventMove: 'false',
    }
    for (const [name, value] of Object.entries(expected)) assert.equal(members.get(name), value, name)
    assert.doesNotMatch(answer.text, /<key>(Incoming|Outgoing)Password<\/key>/)
  })

  test('is the same each time, and another one for another address', async () => {
    const uuids = (text: string) =>
      [...text.matchAll(/[0-9A-F]{8}(?:-[0-9A-F]{4}){3}-[0-9A-F]{12}/g)].map(([uuid]) => uuid)
    const [first, again, other] = await Promise.all(
      ['ada', 'ada', 'bob'].map((name) => get(`/mail/mobileconfig?email=${name}@setup.test`)),
    )
    assert.equal(first?.text, again?.text)
    const all = [...uuids(first?.text ?? ''), ...uuids(other?.text ?? '')]
    assert.equal(new Set(all).size, 4)
    for (const uuid of all) assert.match(uuid, /^.{14}8.{4}[89AB]/)
  })

  test('is refused without an address of ours, or without doors', async () => {
    assert.equal((await get('/mail/mobileconfig')).status, 400)
    for (const text of NASTY) {
      const answer = await get(`/mail/mobileconfig?email=${encodeURIComponent(text)}`)
      assert.equal(answer.status, 400, text)
      assert.doesNotMatch(answer.text, /script|<x>/)
    }
    assert.equal((await get('/mail/mobileconfig?email=a@example.org')).status, 404)
    await withEnv(ALL_CLOSED, async (other) => {
      assert.equal((await other.client().get('/mail/mobileconfig?email=a@setup.test')).status, 404)
    })
  })

  test('escapes whatever an address may hold', async () => {
    const email = "o'neil&sons`{|}~!#$%*+/=?^_-@setup.test"
    const answer = await get(`/mail/mobileconfig?email=${encodeURIComponent(email)}`)
    assert.equal(membersOf(answer.text).get('EmailAddress'), email)
    assert.match(answer.text, /o&#39;neil&amp;sons/)
    const discovered = await discover(request(escapeXml(email)))
    assert.ok(read(discovered.text).includes(`Protocol/LoginName: ${email}`))
  })
})

describe('markup', () => {
  test('says again what it was made of, whatever it is', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        const xml = xmlDocument(elementWith('a', { b: text }, element('c', `x${text}x`)))
        assert.doesNotMatch(xml, /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u)
        const [inner] = [...xmlElements(xml)]
        assert.equal(inner?.path, 'a/c')
        const kept = text.replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
        assert.equal(inner?.text, `x${kept}x`)
        const [, attribute = ''] = /<a b="([^"]*)">/.exec(xml) ?? []
        assert.doesNotMatch(attribute, /[<>'\n\r\t]/)
      }),
      { seed: 1, numRuns: 500 },
    ))
})
