import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { fetchPage, isEndedLink } from './queries.ts'

const ANSWERS: Record<string, readonly [status: number, headers: Record<string, string>]> = {
  '/page': [200, { 'content-type': 'text/HTML; charset=utf-8' }],
  '/json': [200, { 'content-type': 'application/json' }],
  '/broken': [500, { 'content-type': 'text/html' }],
  '/gone': [404, { 'content-type': 'text/html' }],
}

let server: Server
let url: string
before(async () => {
  server = createServer((request, response) => {
    if (request.url === '/away') {
      const elsewhere = `${url.replace('127.0.0.1', 'localhost')}/page`
      return void response.writeHead(302, { location: elsewhere }).end()
    }
    const answer = ANSWERS[request.url ?? '']
    if (!answer) return void request.socket.destroy()
    response.writeHead(...answer).end('<p>Hello</p>')
  })
  await once(server.listen(0), 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  Object.defineProperty(globalThis, 'location', { configurable: true, value: new URL(url) })
})
after(() => {
  Reflect.deleteProperty(globalThis, 'location')
  server.closeAllConnections()
  server.close()
})

const page = (path: string) => fetchPage(url + path, new AbortController().signal)

describe('a page of the same origin', () => {
  test('is taken with the address that it has', async () => {
    assert.deepEqual(await page('/page'), { html: '<p>Hello</p>', url: `${url}/page` })
  })

  test('is refused when it is none, and the person is told why', async () => {
    await assert.rejects(page('/json'), { message: "The website's response isn't a page." })
    await assert.rejects(page('/broken'), { message: 'The website returned 500 instead of this page.' })
    await assert.rejects(page('/away'), { message: 'The page redirects to another website.' })
    await assert.rejects(page('/down'), { message: "Couldn't reach the website." })
  })

  test('may have ended only where the website does not know it', async () => {
    const problemAt = (path: string) => page(path).catch((error: unknown) => error)
    assert.deepEqual([isEndedLink(await problemAt('/gone')), isEndedLink(await problemAt('/broken'))], [true, false])
  })
})
