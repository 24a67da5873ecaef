import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { plainMessage, type ReceiveGround, startReceiving } from './testing/ground.ts'

/** A scanner that finds a test infection, and can be set to give useless answers. */
describe('with a scanner of one’s own', () => {
  let scanner: Server
  let ground: ReceiveGround
  let isBroken = false
  before(async () => {
    scanner = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      assert.equal(request.headers['content-type'], 'message/rfc822')
      const infected = Buffer.concat(chunks).includes('EICAR')
      response.writeHead(isBroken ? 500 : 200).end(JSON.stringify(infected ? { infected, name: 'Test' } : { infected }))
    })
    scanner.listen(0, '127.0.0.1')
    await once(scanner, 'listening')
    const address = scanner.address()
    const port = typeof address === 'object' && address ? address.port : 0
    ground = await startReceiving({ scannerUrl: `http://127.0.0.1:${port}/` })
  })
  after(async () => {
    await ground.close()
    scanner.close()
  })

  test('what it finds is refused and not stored, and the mailbox sees that', async () => {
    const bob = await ground.address('bob@scanned.test')
    const answer = await ground.send({ to: 'bob@scanned.test', message: plainMessage({}, 'an EICAR file') })
    assert.match(answer.text, /^550 5\.7\.1 .*Test/)
    assert.deepEqual(await ground.mails(bob), [])
    assert.deepEqual(
      (await ground.activity(bob)).map(({ type }) => type),
      ['rejected'],
    )
  })

  test('what is clean is stored, and so is everything while it does not work', async () => {
    const ann = await ground.address('ann@scanned.test')
    assert.equal((await ground.send({ to: 'ann@scanned.test', message: plainMessage({}, 'clean') })).code, 250)
    isBroken = true
    assert.equal((await ground.send({ to: 'ann@scanned.test', message: plainMessage({}, 'also clean') })).code, 250)
    assert.equal((await ground.mails(ann)).length, 2)
  })
})
