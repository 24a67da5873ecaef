export const ForgotScreen = () => null
