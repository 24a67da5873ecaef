import { appConfig } from '@stoa/ui/build/vite-app.ts'

export default appConfig({
  root: import.meta.dirname,
  devBase: '/',
  devPort: 4410,
  proxy: { target: 'http://localhost:4400', paths: ['/api', '/openapi.json'] },
  licensed: ['pdfjs-dist'],
})
