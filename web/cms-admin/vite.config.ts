import { pluginUi } from '@stoa/ui/build/plugin-ui.ts'
import { appConfig } from '@stoa/ui/build/vite-app.ts'
import { mergeConfig } from 'vite'
import { canvasController } from './src/visual/canvas/build.ts'

const app = appConfig({
  root: import.meta.dirname,
  devBase: '/admin/',
  documents: ['index.html', 'edit.html'],
  devPort: 4310,
  // The registry of field types makes every part that knows it use what any type is drawn with
  sharedBy: 14,
  proxy: { target: 'http://localhost:4300', paths: ['/api', '/media', '/realtime', '/openapi.json', '/ext'] },
})

export default mergeConfig(app, { plugins: [canvasController(), pluginUi()] })
