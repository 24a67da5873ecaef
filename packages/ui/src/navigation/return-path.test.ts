import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { backTo, readBack, returnUrl } from './return-path.ts'

const ORIGIN = 'https://mail.example'
const OUTSIDE = ['//evil.test/', 'https://evil.test', 'javascript:alert(1)', '/\\evil.test', '', undefined, 7, ['/x']]

describe('the way back after signing in', () => {
  test('is a path of this app, or none', () => {
    for (const back of OUTSIDE) assert.deepEqual(readBack({ back }), { back: undefined })
    assert.deepEqual(readBack({ back: '/domains/1?tab=dkim' }), { back: '/domains/1?tab=dkim' })
    assert.deepEqual(backTo('/'), {})
    assert.deepEqual(backTo('/emails?status=sent'), { back: '/emails?status=sent' })
  })

  test('never leaves the app, nor the part of it that was signed in to', () => {
    const panel = { below: '/', path: '/' }
    const webmail = { below: '/webmail/', path: '/webmail/inbox' }
    for (const back of ['//evil.test/', 'https://evil.test', 'javascript:alert(1)', '/\t/[', 'https://[', undefined]) {
      assert.equal(returnUrl(back, panel, ORIGIN).origin, ORIGIN)
      assert.equal(returnUrl(back, webmail, ORIGIN).pathname, '/webmail/inbox')
    }
    assert.equal(returnUrl('/domains', webmail, ORIGIN).pathname, '/webmail/inbox')
    assert.equal(returnUrl('/webmail/sent?q=a#b', webmail, ORIGIN).href, `${ORIGIN}/webmail/sent?q=a#b`)
    assert.equal(returnUrl('/domains?search=a', panel, ORIGIN).href, `${ORIGIN}/domains?search=a`)
  })
})
