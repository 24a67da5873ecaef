import { appConfig } from '@stoa/ui/vite-app.ts'

export default appConfig({
  root: import.meta.dirname,
  devBase: '/admin/',
  devPort: 4310,
  proxy: { target: 'http://localhost:4300', paths: ['/api', '/media', '/realtime', '/openapi.json'] },
})
