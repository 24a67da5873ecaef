/** The windows that mail is written in, above every screen of the webmail. */
export const ComposeHost = () => null
