import { installNonce } from '@stoa/ui/nonce.ts'
import { appBase } from '@stoa/ui/request.ts'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './app.css'
import { createAppRouter } from './router.tsx'

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
