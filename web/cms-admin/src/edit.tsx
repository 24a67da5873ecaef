import { appBase } from '@stoa/ui/request/request.ts'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './app.css'
import { createEditRouter } from './visual/edit-router.tsx'

// The CSP allows no eval, which zod would try: its chunks come after this
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })
const router = createEditRouter(appBase())
const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <RouterProvider router={router} />
    </StrictMode>,
  )
}
