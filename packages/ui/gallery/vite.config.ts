import { appConfig } from '../src/build/vite-app.ts'

export default appConfig({ root: import.meta.dirname, devBase: '/', devPort: 4390 })
