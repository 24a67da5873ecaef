export const VerifyScreen = () => null
