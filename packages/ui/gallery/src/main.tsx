import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { installNonce } from '../../src/browser/nonce.ts'
import { UiProvider } from '../../src/shell/ui-provider.tsx'
import { Components } from './components.tsx'
import './gallery.css'
import { ShellView } from './shell-view.tsx'
import { SignInView } from './sign-in-view.tsx'

const views = { components: Components, shell: ShellView, 'sign-in': SignInView }

const isView = (name: string | null): name is keyof typeof views => name !== null && name in views

installNonce()
const root = document.getElementById('root')
const name = new URLSearchParams(location.search).get('view')
const View = views[isView(name) ? name : 'components']

// Links of the gallery lead nowhere: the address stays the view
const go = (to: string): void => {
  location.hash = to
}

if (root) {
  createRoot(root).render(
    <StrictMode>
      <UiProvider
        Link={({ to, children, ...rest }) => (
          <a href={`#${to}`} {...rest}>
            {children}
          </a>
        )}
        navigate={go}
      >
        <View />
      </UiProvider>
    </StrictMode>,
  )
}
