import { type ComponentType, createContext, type ReactNode, use } from 'react'
import { type ButtonSize, type ButtonVariant, buttonClass } from '../button/button-class.ts'

export type LinkProps = {
  to: string
  className?: string | undefined
  children?: ReactNode
  'aria-label'?: string | undefined
  'aria-current'?: 'page' | undefined
  onClick?: (() => void) | undefined
}

type Routing = { Link: ComponentType<LinkProps>; navigate: (to: string) => void }

const PlainLink = ({ to, children, ...rest }: LinkProps) => (
  <a href={to} {...rest}>
    {children}
  </a>
)

const RoutingContext = createContext<Routing>({ Link: PlainLink, navigate: (to) => location.assign(to) })

/** Connects the components to the app's router; without it they use plain links. */
export const RoutingProvider = ({ Link, navigate, children }: Routing & { children: ReactNode }) => (
  <RoutingContext value={{ Link, navigate }}>{children}</RoutingContext>
)

/** Goes to an address inside the app. */
export const useNavigateTo = (): ((to: string) => void) => use(RoutingContext).navigate

/** A link inside the app without any look of its own. */
export const AppLink = (props: LinkProps) => {
  const { Link } = use(RoutingContext)
  return <Link {...props} />
}

/** A link inside running text. */
export const TextLink = ({ className, ...props }: LinkProps) => (
  <AppLink
    {...props}
    className={`text-accent-ink underline decoration-accent-line underline-offset-2 hover:decoration-current ${className ?? ''}`}
  />
)

type LinkButtonProps = LinkProps & { variant?: ButtonVariant; size?: ButtonSize; icon?: ReactNode }

/** A link that looks like a button, for actions that are a change of screen. */
export const LinkButton = ({ variant, size, icon, className, children, ...props }: LinkButtonProps) => (
  <AppLink {...props} className={buttonClass(variant, size, className)}>
    {icon}
    {children}
  </AppLink>
)
