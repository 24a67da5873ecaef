import type { ReplyOptions } from '@stoa/kit/http/route.ts'

/** Scripts do not run, only our own pictures load, and links open outside of the frame. */
const POLICY = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "img-src 'self' data:",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
  'sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox',
].join('; ')

const STYLE =
  'html{color-scheme:light;background:#fff}' +
  'body{margin:0;padding:16px;font:14px/1.5 system-ui,sans-serif;color:#1a1a1a;overflow-wrap:break-word}' +
  'img{max-width:100%;height:auto}pre{white-space:pre-wrap}' +
  'blockquote{margin:0 0 0 8px;padding-left:8px;border-left:2px solid #d0d0d0}figure{margin:16px 0}'

/** The page that a reading frame shows, around HTML that was cleaned; used wherever a mail is shown. */
export const readingFrame = (clean: string): { html: string; options: ReplyOptions } => ({
  html:
    '<!doctype html><html><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">' +
    `<title>Message</title><style>${STYLE}</style></head><body dir="auto">${clean}</body></html>`,
  options: {
    contentType: 'text/html; charset=utf-8',
    headers: { 'content-security-policy': POLICY, 'cache-control': 'private, no-store' },
  },
})
