import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { describe, test } from 'node:test'
import { widgetParts, widgetWords } from './widget.ts'

const { readableOn, linkTo, pickLanguage, askQuestion } = widgetParts

/** WCAG 2.2, computed here in its own way: from whole channels, over a table. */
const LINEAR = Array.from({ length: 256 }, (_, step) => {
  const channel = step / 255
  return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
})
const luminance = (red: number, green: number, blue: number): number =>
  0.2126 * (LINEAR[red] ?? 0) + 0.7152 * (LINEAR[green] ?? 0) + 0.0722 * (LINEAR[blue] ?? 0)

describe('the bubble', () => {
  test('text on any accent can be read: 4.5 to 1 at least', () => {
    const steps = [0, 15, 34, 60, 85, 102, 119, 128, 136, 153, 170, 187, 204, 221, 240, 255]
    for (const red of steps)
      for (const green of steps)
        for (const blue of steps) {
          const accent = `#${[red, green, blue].map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
          const ground = luminance(red, green, blue)
          const ink = readableOn(accent) === '#fff' ? 1 : 0
          const ratio = (Math.max(ground, ink) + 0.05) / (Math.min(ground, ink) + 0.05)
          assert.ok(ratio >= 4.5, `${accent} ${ratio}`)
        }
    assert.equal(readableOn('#ff0'), '#000')
    assert.equal(readableOn('#00f'), '#fff')
  })

  test('a source is followed by http and https only', () => {
    const base = 'https://www.example.com/shop/'
    assert.equal(linkTo('https://a.example/x?y#z', base), 'https://a.example/x?y#z')
    assert.equal(linkTo('/articles/tea', base), 'https://www.example.com/articles/tea')
    for (const url of ['javascript:alert(1)', ' java\nscript:alert(1)', 'data:text/html,x', 'blob:x', 'http://[', null])
      assert.equal(linkTo(url, base), null, String(url))
  })

  test('it uses the language that the page names, else English', () => {
    const known = Object.keys(widgetWords)
    assert.equal(pickLanguage(['de-AT', 'en', 'fr'], known), 'de')
    assert.equal(pickLanguage([undefined, '', 'nl_BE'], known), 'nl')
    assert.equal(pickLanguage(['ja', 'de', 'de'], known), 'en')
    assert.equal(pickLanguage([null], known), 'en')
  })

  test('every language says everything, and that the answer may be wrong', () => {
    const names = Object.keys(widgetWords.en ?? {})
    for (const [language, words] of Object.entries(widgetWords)) {
      assert.deepEqual(Object.keys(words), names, language)
      assert.ok(
        Object.values(words).every((word) => word.trim() !== ''),
        language,
      )
    }
    assert.equal(widgetWords.en?.note, 'AI answer, may be wrong')
  })

  test('no answer is a failure that can be retried, and a rate limit is reported as such', async () => {
    const answer = { answer: 'At nine [1].', sources: [], found: true }
    const answers: Record<string, readonly [status: number, body: string]> = {
      '/ok': [200, JSON.stringify(answer)],
      '/limited': [429, '{"error":"…","code":"RATE_LIMITED"}'],
      '/off': [404, '{"error":"…","code":"ASSISTANT_DISABLED"}'],
      '/away': [503, '<h1>Bad gateway</h1>'],
      '/other': [200, '{"hello":"world"}'],
      '/html': [200, '<html>'],
    }
    const server = createServer((request, response) => {
      const [status, body] = answers[request.url ?? ''] ?? [500, '']
      response.writeHead(status).end(body)
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const address = server.address()
    const base = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
    const ask = (path: string) => askQuestion(base + path, { question: 'When?' })
    try {
      assert.deepEqual(await ask('/ok'), { answer })
      assert.deepEqual(await ask('/limited'), { failed: 'busy' })
      for (const path of ['/off', '/away', '/other', '/html'])
        assert.deepEqual(await ask(path), { failed: 'failed' }, path)
    } finally {
      server.closeAllConnections()
      server.close()
    }
    await once(server, 'close')
    assert.deepEqual(await ask('/ok'), { failed: 'failed' }, 'nobody is there')
  })
})
