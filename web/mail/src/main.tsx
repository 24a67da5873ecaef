import { installNonce } from '@stoa/ui/browser/nonce.ts'
import { appBase } from '@stoa/ui/request/request.ts'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './app.css'
import { createAppRouter } from './router.tsx'

// The CSP allows no eval, which zod would try: its chunks come after this
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })
installNonce()
const router = createAppRouter(appBase())
const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <RouterProvider router={router} />
    </StrictMode>,
  )
}
