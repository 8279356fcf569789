import type { ButtonHTMLAttributes, ReactElement, ReactNode, Ref } from "react";
import { Icon, type IconName } from "./icon.tsx";

interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, "type"> {
  readonly kind?: "primary" | "danger" | "quiet";
  readonly size?: "small";
  readonly icon?: IconName;
  readonly type?: "button" | "submit";
  readonly children?: ReactNode;
  readonly ref?: Ref<HTMLButtonElement>;
}

/** A button without children shows only its icon and needs an `aria-label`, which is shown as its tooltip too. */
export function Button({ kind, size, icon, type = "button", children, ...more }: ButtonProps): ReactElement {
  const iconOnly = children === undefined;
  return (
    <button
      className="button"
      title={iconOnly ? more["aria-label"] : undefined}
      {...more}
      type={type}
      data-kind={kind}
      data-size={size}
      data-icon-only={iconOnly || undefined}
    >
      {icon && <Icon name={icon} size={size === "small" ? 14 : 16} />}
      {children}
    </button>
  );
}
