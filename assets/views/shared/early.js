/* What stands on the page before Streamlit does: the keys are heard, and the menu is folded, from the first moment. */

import { awaitPage, installKeys } from "./keys.js";
import { installMenu } from "./menu.js";

const WITHOUT_BEATS = ["", "lectures", "speaker", "gallery"];

if (!WITHOUT_BEATS.includes(location.pathname.split("/").pop() ?? "")) awaitPage();
installKeys();
installMenu();
