import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cleanHtml } from './clean.ts'
import { embedFrom } from './embed-url.ts'

const players: Record<string, string | undefined> = {
  'https://www.youtube.com/watch?v=dQw4w9WgXcQ&feature=share': 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ',
  'https://youtu.be/dQw4w9WgXcQ?t=1m30s': 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?start=90',
  'https://m.youtube.com/shorts/dQw4w9WgXcQ': 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ',
  'https://www.youtube.com/playlist?list=PL1234567890abc':
    'https://www.youtube-nocookie.com/embed/videoseries?list=PL1234567890abc',
  'https://vimeo.com/76979871': 'https://player.vimeo.com/video/76979871',
  'https://vimeo.com/channels/staff/76979871': 'https://player.vimeo.com/video/76979871',
  'https://vimeo.com/76979871/8272103f6e': 'https://player.vimeo.com/video/76979871?h=8272103f6e',
  'https://www.youtube.com/': undefined,
  'https://youtube.com.evil.example/watch?v=dQw4w9WgXcQ': undefined,
  'javascript:alert(1)//youtu.be/dQw4w9WgXcQ': undefined,
  'see https://youtu.be/dQw4w9WgXcQ': undefined,
}

describe('the player of a video', () => {
  test('is found by the address that people copy', () => {
    for (const [address, src] of Object.entries(players)) assert.equal(embedFrom(address)?.src, src, address)
  })

  test('is one that the policy keeps, and is found again by its own address', () => {
    for (const src of Object.values(players)) {
      if (src === undefined) continue
      assert.match(cleanHtml(`<iframe src="${src.replaceAll('&', '&amp;')}"></iframe>`) ?? '', /^<iframe src=/)
      assert.equal(embedFrom(src)?.provider, src.includes('vimeo') ? 'Vimeo' : 'YouTube')
    }
  })
})
