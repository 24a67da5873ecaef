import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type CmsService, PASSWORD, type Person, startCms, untilWaiting } from '@stoa/tests/lib/cms.ts'
import { codeOf, enrol, STEP_MS, signInWith, wrongCode } from '../two-factor/testing/two-factor.ts'

const MINUTE = 60_000

let service: CmsService
before(async () => {
  service = await startCms()
})
after(() => service.close())

const sessionsOf = ({ id }: Person) =>
  service.cms.database.db.selectFrom('session').selectAll().where('account_id', '=', id).orderBy('id').execute()
const codesLeft = async ({ id }: Person) => {
  const rows = await service.cms.database.db
    .selectFrom('recovery_code')
    .select('code_hash')
    .where('account_id', '=', id)
    .execute()
  return rows.length
}
/** Someone with two-factor authentication, and their app. */
const withTotp = async () => {
  const person = await service.person('author')
  return { person, ...(await enrol(service, person)) }
}
let addresses = 0
const from = (ip: string, person: Person, code: string | undefined, password = PASSWORD) =>
  service.client({ ip }).post('/api/auth/login', { email: person.email, password, ...(code && { code }) })
const freshIp = () => `198.51.100.${++addresses}`

describe('signing in with two-factor', () => {
  test('the password alone asks for the code, and opens nothing', async () => {
    const { person } = await withTotp()
    const before = await sessionsOf(person)
    const answer = await signInWith(service, person)
    assert.equal(answer.status, 401)
    assert.equal(answer.body.code, 'TOTP_REQUIRED')
    assert.equal(answer.headers.get('set-cookie'), null)
    assert.equal(answer.body.token, undefined)
    assert.deepEqual(await sessionsOf(person), before)
  })

  test('password and code open a session, and the person says so', async () => {
    const { person, secret } = await withTotp()
    const answer = await signInWith(service, person, codeOf(service, secret))
    assert.equal(answer.status, 200)
    assert.equal(answer.body.user.totp, true)
    assert.equal((await service.client({ token: answer.body.token }).get('/api/auth/me')).status, 200)
  })

  test('the code counts with spaces, one step early and one step late, and no further', async () => {
    for (const [steps, expected] of [
      [-2, 401],
      [-1, 200],
      [1, 200],
      [2, 401],
    ] as const) {
      const { person, secret } = await withTotp()
      const code = codeOf(service, secret, steps)
      const answer = await signInWith(service, person, ` ${code.slice(0, 3)} ${code.slice(3)} `)
      assert.equal(answer.status, expected, `${steps} steps`)
    }
  })

  test('a wrong code opens nothing, and a wrong password with the right code reveals nothing about the code', async () => {
    const { person, secret } = await withTotp()
    const before = await sessionsOf(person)
    const wrong = await signInWith(service, person, wrongCode(service, secret))
    assert.equal(`${wrong.status} ${wrong.body.code}`, '401 TOTP_INVALID')
    const guess = await signInWith(service, person, codeOf(service, secret), 'not the password')
    assert.equal(`${guess.status} ${guess.body.code}`, '401 INVALID_CREDENTIALS')
    assert.deepEqual(await sessionsOf(person), before)
    assert.equal((await signInWith(service, person, codeOf(service, secret))).status, 200)
  })

  test('the code of the enrolment does not sign in', async () => {
    const person = await service.person('viewer')
    const { secret } = (await person.client.post('/api/auth/totp')).body
    const code = codeOf(service, secret)
    assert.equal((await person.client.post('/api/auth/totp/confirm', { code })).status, 200)
    assert.equal((await signInWith(service, person, code)).body.code, 'TOTP_INVALID')
  })

  test('without two-factor a code is not looked at', async () => {
    const person = await service.person('viewer')
    assert.equal((await signInWith(service, person, '000000')).status, 200)
  })

  for (const code of ['', 123456, null, ['123456'], { $ne: '' }, 'x'.repeat(33)])
    test(`M82: ${JSON.stringify(code).slice(0, 20)} is no code, and opens nothing`, async () => {
      const { person } = await withTotp()
      const before = await sessionsOf(person)
      const answer = await service.client().post('/api/auth/login', { email: person.email, password: PASSWORD, code })
      assert.equal(answer.status, 400)
      assert.equal(answer.body.details.fields[0].key, 'code')
      assert.deepEqual(await sessionsOf(person), before)
    })
})

describe('M82: a code is good once', () => {
  test('also within its step, and an older one of the window after it', async () => {
    const { person, secret } = await withTotp()
    const code = codeOf(service, secret)
    assert.equal((await signInWith(service, person, code)).status, 200)
    assert.equal((await signInWith(service, person, code)).body.code, 'TOTP_INVALID')
    assert.equal((await signInWith(service, person, codeOf(service, secret, -1))).body.code, 'TOTP_INVALID')
    service.clock.advance(STEP_MS)
    assert.equal((await signInWith(service, person, code)).body.code, 'TOTP_INVALID')
    assert.equal((await signInWith(service, person, codeOf(service, secret))).status, 200)
  })

  test('sent five times at once it opens one session', async () => {
    const { person, secret } = await withTotp()
    const before = (await sessionsOf(person)).length
    const code = codeOf(service, secret)
    const answers = await Promise.all(Array.from({ length: 5 }, () => signInWith(service, person, code)))
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    assert.equal((await sessionsOf(person)).length, before + 1)
  })

  test('sent to two processes at once it opens one session', async () => {
    const { person, secret } = await withTotp()
    const second = await startCms({ databaseUrl: service.databaseUrl, clock: service.clock })
    const code = codeOf(service, secret)
    const answers = await Promise.all([service, second, service, second].map((on) => signInWith(on, person, code)))
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    await second.close()
  })
})

describe('recovery codes', () => {
  test('each signs in once, in any case, with or without its dash', async () => {
    const { person, recoveryCodes } = await withTotp()
    const [first = '', second = '', third = ''] = recoveryCodes
    for (const code of [first, second.toUpperCase(), ` ${third.replace('-', ' ')} `])
      assert.equal((await signInWith(service, person, code)).status, 200, code)
    assert.equal(await codesLeft(person), 7)
    assert.equal((await signInWith(service, person, first)).body.code, 'TOTP_INVALID')
    assert.equal(await codesLeft(person), 7)
  })

  test('one that is sent five times at once opens one session', async () => {
    const { person, recoveryCodes } = await withTotp()
    const before = (await sessionsOf(person)).length
    const answers = await Promise.all(Array.from({ length: 5 }, () => signInWith(service, person, recoveryCodes[0])))
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    assert.equal((await sessionsOf(person)).length, before + 1)
    assert.equal(await codesLeft(person), 9)
  })

  test('those of another person are worth nothing', async () => {
    const { person } = await withTotp()
    const other = await withTotp()
    assert.equal((await signInWith(service, person, other.recoveryCodes[0])).body.code, 'TOTP_INVALID')
    assert.equal(await codesLeft(other.person), 10)
  })
})

describe('M82: codes cannot be tried out', () => {
  test('five wrong ones for one account from anywhere, then even the right one waits', async () => {
    const { person, secret } = await withTotp()
    const before = await sessionsOf(person)
    const wrong = wrongCode(service, secret)
    for (let n = 0; n < 5; n += 1) assert.equal((await from(freshIp(), person, wrong)).body.code, 'TOTP_INVALID')
    const limited = await from(freshIp(), person, codeOf(service, secret))
    assert.equal(`${limited.status} ${limited.body.code}`, '429 LOGIN_LIMITED')
    assert.equal(limited.headers.get('retry-after'), '900')
    assert.deepEqual(await sessionsOf(person), before)
    service.clock.advance(15 * MINUTE)
    assert.equal((await from(freshIp(), person, codeOf(service, secret))).status, 200)
  })

  test('in parallel from forty clients no more than five are looked at', async () => {
    const { person, secret } = await withTotp()
    const wrong = wrongCode(service, secret)
    const answers = await Promise.all(Array.from({ length: 40 }, () => from(freshIp(), person, wrong)))
    assert.equal(answers.filter(({ body }) => body.code === 'TOTP_INVALID').length, 5)
    assert.equal(answers.filter(({ body }) => body.code === 'LOGIN_LIMITED').length, 35)
  })

  test('a wrong code counts like a wrong password for client and address', async () => {
    const { person, secret } = await withTotp()
    const other = await service.person('viewer')
    const ip = freshIp()
    for (let n = 0; n < 5; n += 1) await from(ip, person, wrongCode(service, secret))
    for (let n = 0; n < 5; n += 1) await from(ip, other, undefined, 'not the password')
    const third = await service.person('viewer')
    assert.equal((await from(ip, third, undefined)).body.code, 'LOGIN_LIMITED', 'the client has ten failures')
  })

  test('the password without a code neither counts nor clears what was counted', async () => {
    const { person, secret } = await withTotp()
    const ip = freshIp()
    for (let n = 0; n < 6; n += 1) assert.equal((await from(ip, person, undefined)).body.code, 'TOTP_REQUIRED')
    for (let n = 0; n < 4; n += 1) {
      assert.equal((await from(ip, person, wrongCode(service, secret))).body.code, 'TOTP_INVALID')
      assert.equal((await from(ip, person, undefined)).body.code, 'TOTP_REQUIRED')
    }
    assert.equal((await from(ip, person, wrongCode(service, secret))).body.code, 'TOTP_INVALID')
    assert.equal((await from(ip, person, undefined)).body.code, 'LOGIN_LIMITED')
  })

  test('without the password nobody can make the person wait', async () => {
    const { person, secret } = await withTotp()
    for (let n = 0; n < 8; n += 1) await from(freshIp(), person, wrongCode(service, secret), 'not the password')
    assert.equal((await from(freshIp(), person, codeOf(service, secret))).status, 200)
  })

  test('a right code forgets the wrong ones before it', async () => {
    const { person, secret } = await withTotp()
    for (const round of [1, 2]) {
      for (let n = 0; n < 4; n += 1) await from(freshIp(), person, wrongCode(service, secret))
      assert.equal((await from(freshIp(), person, codeOf(service, secret))).status, 200, `round ${round}`)
      service.clock.advance(STEP_MS)
    }
  })
})

test('M82: a sign-in that is under way when two-factor is switched on does not skip the step', async () => {
  const person = await service.person('viewer')
  const before = await sessionsOf(person)
  const switched = Promise.withResolvers<void>()
  const switching = service.cms.database.tx(async (tx) => {
    await tx.updateTable('account').set({ has_totp: true }).where('id', '=', person.id).execute()
    switched.resolve()
    await untilWaiting(tx, 1)
  })
  await switched.promise
  const [answer] = await Promise.all([signInWith(service, person), switching])
  assert.equal(answer.body.code, 'TOTP_REQUIRED')
  assert.deepEqual(await sessionsOf(person), before)
})

test('an account that asks for a code and has lost its secret lets nobody in', async () => {
  const { person, secret, recoveryCodes } = await withTotp()
  await service.cms.database.tx((tx) => tx.deleteFrom('two_factor').where('account_id', '=', person.id).execute())
  for (const code of [codeOf(service, secret), recoveryCodes[0]])
    assert.equal((await signInWith(service, person, code)).body.code, 'TOTP_INVALID')
})
