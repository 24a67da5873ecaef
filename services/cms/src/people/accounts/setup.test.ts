import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type CmsService, PASSWORD, startCms, untilWaiting } from '@stoa/tests/lib/cms.ts'

const owner = (n: number) => ({ email: `owner${n}@example.test`, name: `Owner ${n}`, password: PASSWORD })

describe('the first visit', () => {
  let service: CmsService
  before(async () => {
    service = await startCms()
  })
  after(() => service.close())

  const accounts = () => service.cms.database.db.selectFrom('account').select(['email', 'role']).execute()

  test('a new site says that it is not set up', async () => {
    const answer = await service.client().get('/api/auth/status')
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.body, { setup: false, resetByMail: false })
  })

  test('a claim with members that are not valid is refused with each of them named, and claims nothing', async () => {
    const answer = await service.client().post('/api/auth/setup', { email: 'nobody', name: ' ', password: 'short' })
    assert.equal(answer.status, 400)
    assert.equal(answer.body.code, 'VALIDATION_FAILED')
    const keys = answer.body.details.fields.map((field: { key: string }) => field.key)
    assert.deepEqual([...new Set(keys)].sort(), ['email', 'name', 'password'])
    assert.deepEqual(await accounts(), [])
  })

  test('C34: of 20 racing claims exactly one makes an owner, and only that one is signed in', async () => {
    // Nobody can insert until two have come that far: then they really race.
    const held = service.cms.database.tx(async (tx) => {
      await tx.query({ text: 'lock table account in exclusive mode' })
      await untilWaiting(tx, 2)
    })
    const racing = Array.from({ length: 20 }, (_, n) => service.client().post('/api/auth/setup', owner(n)))
    await held
    const answers = await Promise.all(racing)
    const won = answers.filter(({ status }) => status === 201)
    assert.equal(won.length, 1)
    assert.deepEqual(
      answers.filter(({ status }) => status !== 201).map(({ status, body }) => `${status} ${body.code}`),
      Array(19).fill('409 ALREADY_SET_UP'),
    )
    const [winner] = won
    assert.deepEqual(await accounts(), [{ email: winner?.body.user.email, role: 'owner' }])
    const sessions = await service.cms.database.db.selectFrom('session').select('id').execute()
    assert.equal(sessions.length, 1)
    const me = await service.client({ token: winner?.body.token }).get('/api/auth/me')
    assert.equal(me.body.email, winner?.body.user.email)
  })

  test('the site says that it is set up, and a later claim is refused and changes nothing', async () => {
    assert.deepEqual((await service.client().get('/api/auth/status')).body, { setup: true, resetByMail: false })
    const earlier = await accounts()
    const answer = await service.client().post('/api/auth/setup', owner(99))
    assert.equal(answer.status, 409)
    assert.equal(answer.headers.get('set-cookie'), null)
    assert.deepEqual(await accounts(), earlier)
  })
})

test('a claim answers like a sign-in: 201, token, person and cookie', async () => {
  const service = await startCms()
  const client = service.client()
  const answer = await client.post('/api/auth/setup', { ...owner(1), email: '  Owner1@Example.test ' })
  assert.equal(answer.status, 201)
  assert.match(answer.body.token, /^cmsses_[\w-]{43}$/)
  assert.equal(answer.body.user.email, 'Owner1@Example.test')
  assert.equal(answer.body.user.role, 'owner')
  assert.ok(answer.body.user.permissions.includes('users.manage'))
  assert.equal(client.cookie, answer.body.token)
  await service.close()
})

describe('BOOTSTRAP_*', () => {
  const env = {
    BOOTSTRAP_EMAIL: 'boot@example.test',
    BOOTSTRAP_PASSWORD: 'unattended lanterns',
    BOOTSTRAP_NAME: 'Boot',
  }

  test('makes the first owner without anybody visiting', async () => {
    const service = await startCms({ env })
    assert.deepEqual((await service.client().get('/api/auth/status')).body, { setup: true, resetByMail: false })
    const answer = await service
      .client()
      .post('/api/auth/login', { email: env.BOOTSTRAP_EMAIL, password: env.BOOTSTRAP_PASSWORD })
    assert.equal(answer.status, 200)
    assert.equal(answer.body.user.role, 'owner')
    assert.equal(answer.body.user.name, 'Boot')
    assert.equal(service.logs.join('').includes(env.BOOTSTRAP_PASSWORD), false)
    await service.close()
  })

  test('C34: never changes what is there, not even after an owner lost that address', async () => {
    const service = await startCms()
    await service.claim()
    const before = await service.cms.database.db.selectFrom('account').selectAll().execute()
    const restarted = await startCms({ env, databaseUrl: service.databaseUrl })
    const again = await startCms({
      env: { ...env, BOOTSTRAP_EMAIL: 'owner@example.test' },
      databaseUrl: service.databaseUrl,
    })
    assert.deepEqual(await service.cms.database.db.selectFrom('account').selectAll().execute(), before)
    await restarted.close()
    await again.close()
    await service.close()
  })
})
