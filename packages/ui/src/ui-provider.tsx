import type { ComponentType, ReactNode } from 'react'
import { type LinkProps, RoutingProvider } from './link.tsx'
import { ShortcutsHelp } from './shortcuts-help.tsx'
import { Toaster } from './toast.tsx'
import { TooltipProvider } from './tooltip.tsx'

type UiProviderProps = { Link: ComponentType<LinkProps>; navigate: (to: string) => void; children: ReactNode }

/** Everything that components need around them: routing, tooltips, toasts and the shortcut list. */
export const UiProvider = ({ Link, navigate, children }: UiProviderProps) => (
  <RoutingProvider Link={Link} navigate={navigate}>
    <TooltipProvider>
      {children}
      <ShortcutsHelp />
      <Toaster />
    </TooltipProvider>
  </RoutingProvider>
)
