import type { ComponentType, ReactNode } from 'react'
import { Toaster } from '../feedback/toast.tsx'
import { TooltipProvider } from '../layer/tooltip.tsx'
import { type LinkProps, RoutingProvider } from '../navigation/link.tsx'
import { ShortcutsHelp } from '../shortcuts/shortcuts-help.tsx'

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
