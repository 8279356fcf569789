import { askForm, type FormAnswer } from "../../platform/forms/ask-form.ts";
import { readForm } from "../../platform/forms/read-form.ts";
import type { PiDialogs } from "./pi-api.ts";

/**
 * Shows a form of the server (`elicitation/create`) as dialogs of pi, one per field. Asks for optional fields only if no field is
 * required: each question is a dialog of its own. Rejects if the form cannot be shown.
 */
export async function askUser(params: Readonly<Record<string, unknown>>, ui: PiDialogs): Promise<FormAnswer> {
  const { message, fields } = readForm(params);
  const required = fields.filter(({ isRequired }) => isRequired);
  const asked = required.length > 0 ? required : fields.map((field) => ({ ...field, isRequired: true }));
  return askForm({ message, fields: asked }, ui, "Toolwright");
}
