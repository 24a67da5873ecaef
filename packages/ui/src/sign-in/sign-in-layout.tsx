import { type ReactNode, useEffect, useRef } from 'react'
import { Brand } from '../shell/brand.tsx'
import { ThemeSwitch } from '../theme/theme-switch.tsx'

type SignInLayoutProps = {
  product: string
  title: string
  description?: ReactNode
  /** Another way, below the form: "No account yet? Sign up". */
  footer?: ReactNode
  children: ReactNode
}

/** The screen before the app: claim, sign up, sign in. */
export const SignInLayout = ({ product, title, description, footer, children }: SignInLayoutProps) => {
  const card = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // Typing can start at once; on a phone that would open the keyboard over the page
    if (matchMedia('(pointer: fine)').matches) card.current?.querySelector('input')?.focus()
  }, [])
  return (
    <div className="flex min-h-dvh flex-col bg-canvas">
      <div className="flex items-center justify-between px-5 py-4">
        <Brand product={product} />
        <ThemeSwitch />
      </div>
      <main className="flex flex-1 flex-col items-center justify-center px-4 pt-6 pb-24">
        <div className="w-full max-w-signin">
          <div className="mb-6 flex flex-col gap-1.5">
            <h1 className="text-balance font-semibold text-ink text-lg">{title}</h1>
            {description === undefined ? null : <p className="text-pretty text-base text-muted">{description}</p>}
          </div>
          <div ref={card} className="rounded-xl border border-line bg-surface p-5 shadow-sm">
            {children}
          </div>
          {footer === undefined ? null : <div className="mt-5 text-center text-muted text-sm">{footer}</div>}
        </div>
      </main>
    </div>
  )
}
